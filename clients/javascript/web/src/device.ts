// What a browser says of itself, as far as a page needs it. A wrong guess only hides a banner, or shows one too many.

/** The part of `navigator` that is read. */
export interface Browser {
  readonly userAgent: string;
  readonly maxTouchPoints: number;
}

export type Platform = 'ios' | 'android' | 'desktop';

const APPLE = /iPhone|iPad|iPod/;

/** An iPad calls itself a Macintosh, and has a screen that can be touched. */
export function platformOf({ userAgent, maxTouchPoints }: Browser): Platform {
  if (APPLE.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'ios';
  return /Android/.test(userAgent) ? 'android' : 'desktop';
}

/** Apps that open pages inside themselves, and say so. */
const NAMED =
  /FBA[NV]|FB_IAB|Instagram|Barcelona \d|\bLine\/|KAKAOTALK|MicroMessenger|TikTok|musical_ly|Bytedance|Snapchat|Pinterest\/|LinkedInApp|Twitter|GSA\//;
/** Browsers that people choose, and that look like a page inside an app. */
const CHOSEN = /DuckDuckGo|Focus\/|OPT\/|OPR\/|Brave|Ecosia/;

/** True for a page inside another app, where no link opens an app by itself. */
export function isInApp({ userAgent }: Browser): boolean {
  if (NAMED.test(userAgent)) return true;
  if (CHOSEN.test(userAgent)) return false;
  return APPLE.test(userAgent) ? !/Safari\//.test(userAgent) : /;\s?wv\)/.test(userAgent);
}

/** True for Safari on an iPhone or iPad. No other browser shows Apple's own banner. */
export const isMobileSafari = (browser: Browser): boolean =>
  platformOf(browser) === 'ios' &&
  /Version\/.*Safari\//.test(browser.userAgent) &&
  !/(?:Cri|Fxi|Edgi|OPi)OS|DuckDuckGo|GSA/.test(browser.userAgent);
