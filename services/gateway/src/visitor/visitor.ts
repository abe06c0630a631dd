// Classifies the visitor of a tap from the request's headers: person or bot, device, app and store. A wrong guess about
// a person must leave them a way on. A wrong guess about a bot may count a click.
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import * as patterns from './visitor-patterns.ts';

export type Visitor = {
  kind: 'person' | 'bot' | 'prefetch' | 'unknown';
  platform: 'ios' | 'android' | 'desktop' | 'unknown';
  /** The app whose browser opened the link, or WEB_VIEW if it is unknown. Null in a browser. */
  inApp: string | null;
  /** The pre-installed store of the device. Null if it has none, or if it is unknown. */
  store: 'apple' | 'play' | 'huawei' | 'amazon' | null;
  /** True for Safari on a Macintosh, because an iPad sends the same. Only a page can find out (`asTold`). */
  maybeTablet: boolean;
};

export type VisitorHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** An unknown app that opened the link inside itself. */
export const WEB_VIEW = 'WebView';

/** Returns the user agent, cut at 1,024 characters. The longest of real people, WeChat's, have about 450. */
export const userAgentOf = (headers: VisitorHeaders): string => header(headers, 'user-agent').slice(0, 1024).trim();

/** The result of the user agent alone. Another header decides whether it is a prefetch. */
type Known = Omit<Visitor, 'kind'> & { kind: Exclude<Visitor['kind'], 'prefetch'> };

/** A cache: many people have the same few hundred user agents, and parsing one takes hundreds of patterns. */
const known = new LRUCache<string, Known>({ max: 2_000, memoMethod: (userAgent) => read(userAgent) });

export function classifyVisitor(headers: VisitorHeaders): Visitor {
  const visitor = known.memo(userAgentOf(headers));
  // A known bot stays a bot whatever else it sends, because we want its preview.
  return visitor.kind !== 'bot' && isPrefetch(headers) ? { ...visitor, kind: 'prefetch' } : visitor;
}

function read(userAgent: string): Known {
  const platform = platformOf(userAgent);
  const inApp = inAppOf(userAgent, platform);
  return {
    kind: isBot(userAgent, inApp) ? 'bot' : patterns.BROWSER.test(userAgent) ? 'person' : 'unknown',
    platform,
    inApp,
    store: storeOf(userAgent, platform),
    maybeTablet: platform === 'desktop' && isAppleWebKit(userAgent),
  };
}

const isPrefetch = (headers: VisitorHeaders): boolean =>
  patterns.PREFETCH_HEADERS.some(
    (name) => headers[name] !== undefined && patterns.PREFETCH.test(header(headers, name)),
  );

/**
 * Checks by Fetch Metadata whether the browser shows the answer to a person. An image, a frame or a script that a page
 * loads is no tap. A browser that sends no such headers, or no destination (Chrome before 80), is believed.
 */
export function isShown(headers: VisitorHeaders): boolean {
  const { 'sec-fetch-dest': dest = 'document', 'sec-fetch-mode': mode = 'navigate' } = headers;
  return dest === 'document' && mode === 'navigate';
}

/** The parameter with which a page reports whether the screen of a Macintosh can be touched: `1` or `0`. */
export const TOUCH_PARAMETER = 'lf_touch';

/** Returns the visitor as corrected by the page: a Macintosh with touch is an iPad. */
export function asTold(visitor: Visitor, tappedQuery: string): Visitor {
  if (!visitor.maybeTablet) return visitor;
  const touch = new URLSearchParams(tappedQuery).get(TOUCH_PARAMETER);
  if (touch === '1') return { ...visitor, platform: 'ios', store: 'apple', maybeTablet: false };
  if (touch === '0') return { ...visitor, maybeTablet: false };
  return visitor;
}

function isBot(userAgent: string, inApp: string | null): boolean {
  if (patterns.BOTS.test(userAgent)) return true;
  // The name of an app says nothing: robots of these apps have it, too. isbot knows no apps.
  const isOnPhone = patterns.PHONE_BROWSER.test(userAgent) || (inApp !== null && inApp !== WEB_VIEW);
  if (!isOnPhone) return isbot(userAgent);
  return patterns.PHONE_BOTS.test(userAgent) || patterns.NAMED_BOT.test(withoutModel(userAgent));
}

/** Removes the model of the phone, also where the app names it again. */
function withoutModel(userAgent: string): string {
  const [whole, before] = patterns.ANDROID_MODEL.exec(userAgent) ?? [];
  return whole === undefined ? userAgent : userAgent.replaceAll(whole.slice(before!.length), '');
}

function platformOf(userAgent: string): Visitor['platform'] {
  if (patterns.OTHER_DEVICES.test(userAgent)) return 'unknown';
  if (patterns.APPLE_MOBILE.test(userAgent)) return 'ios';
  if (patterns.ANDROID.test(userAgent)) return 'android';
  if (/Macintosh/.test(userAgent) && patterns.APPLE_MOBILE_AS_MAC.test(userAgent)) return 'ios';
  return patterns.DESKTOP.test(userAgent) ? 'desktop' : 'unknown';
}

function inAppOf(userAgent: string, platform: Visitor['platform']): string | null {
  if (platform !== 'ios' && platform !== 'android') return null;
  const named = patterns.IN_APP.find(([, pattern]) => pattern.test(userAgent));
  if (named !== undefined) return named[0];
  if (patterns.WEB_VIEW_BROWSERS.test(userAgent)) return null;
  const webView = platform === 'ios' ? !/\bSafari\//.test(userAgent) : patterns.ANDROID_WEB_VIEW.test(userAgent);
  return webView ? WEB_VIEW : null;
}

function storeOf(userAgent: string, platform: Visitor['platform']): Visitor['store'] {
  if (platform === 'ios') return 'apple';
  if (platform !== 'android' || patterns.NO_STORE.test(userAgent)) return null;
  if (patterns.AMAZON.test(userAgent)) return 'amazon';
  if (patterns.HUAWEI.test(userAgent) && !patterns.GOOGLE_SERVICES.test(userAgent)) return 'huawei';
  return 'play';
}

/** True for Safari or a web view. Chrome stopped at WebKit 537, so it is a computer. Firefox never had WebKit. */
function isAppleWebKit(userAgent: string): boolean {
  return /Macintosh.{1,60}AppleWebKit\/6/.test(userAgent);
}

function header(headers: VisitorHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.join(' ') ?? '');
}
