// The rules of taps in words.
import type { TapRule } from '../answer-tap.ts';

/** `app-opens`: the phone opens the app by itself, and asks no link host. */
export type TryRule = TapRule | 'app-opens';

export const tryRules = {
  'app-opens': 'The app is installed, and the phone opens it. The link host gets no request.',
  'app-archived': 'The app is archived, so none of its links works.',
  'link-archived': 'The link is archived.',
  'link-expired': 'The link has expired.',
  prefetch: 'A browser that loads a link before the tap gets nothing. It comes again with its person.',
  bot: 'A bot gets the preview: title, text and image. It is no tap.',
  'unknown-device':
    'The device has no store that we know, so the visitor gets all buttons. A program that names no browser is no tap.',
  'touch-check': 'Safari on a Mac and on an iPad send the same user agent. A page finds out which one it is.',
  'desktop-to-web': 'On a computer the web page of the app opens.',
  'desktop-page': 'On a computer, without a web page of the app, a page asks to open the link on a phone.',
  'in-app-page':
    'Inside another app nobody can see whether the app is installed, so nothing opens by itself. The person gets a page with buttons.',
  'phone-clip':
    'The app has an App Clip. Safari shows its card on a page only, so the person gets a page with a button for the App Store.',
  'phone-after-exit':
    'The person came to the browser out of another app, where iOS opens no app. The app may be installed, so the person gets a page with buttons.',
  'phone-copies':
    'The app reads a link from the clipboard. Only the tap on a button may copy one, so the person gets a page with a button for the App Store.',
  'phone-to-store': 'The store of the phone opens.',
  'phone-to-web': 'The app has no page in the store of the phone, so its web page opens.',
  'phone-page': 'The app has no page in the store of the phone and no web page for it, so the person gets a page.',
} as const satisfies Record<TryRule, string>;

export const tryRuleNames = Object.keys(tryRules) as [TryRule, ...TryRule[]];
