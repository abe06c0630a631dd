// Ways out of the browsers inside other apps, as data. None is official but LINE's. An app may stop one with any
// version, so the page always says the way by hand, too. Try a row on a phone before you change it.

export interface ExitRow {
  /** The name in events and metrics. It stays when the row changes its form. */
  id: string;
  /** The apps, named as in `IN_APP` of `visitor-patterns.ts`. `others`: every app that no earlier row names. */
  apps: readonly string[] | 'others';
  platforms: readonly ('ios' | 'android')[];
  /**
   * The form of the URL. `{url}`: the link, `{encoded}`: the same percent-encoded, `{scheme}` and `{rest}`: the link
   * before and after `://`. Null: nothing is known to work, and the page has no button.
   */
  form: string | null;
  /** A parameter that the link needs. */
  parameter?: string;
  /** True when the app may do nothing. Then a script points to the way by hand after a moment. */
  mayFail: boolean;
  /** The day of the newest test that the source reports. Null: the source is the vendor, or reports no day. */
  testedOn: string | null;
  /** The versions of the test. We have tested none of them on a phone ourselves. */
  seenOn: string;
  source: string;
}

/** The first row that fits decides. */
export const EXITS: readonly ExitRow[] = [
  {
    id: 'wechat',
    apps: ['WeChat'],
    platforms: ['ios', 'android'],
    form: null,
    mayFail: false,
    testedOn: null,
    seenOn: 'no way out is known',
    source: 'https://github.com/shalanah/inapp-debugger/issues/7',
  },
  {
    id: 'instagram-extbrowser',
    apps: ['Instagram'],
    platforms: ['ios', 'android'],
    form: 'instagram://extbrowser/?url={encoded}',
    mayFail: true,
    testedOn: '2026-09-10',
    seenOn: 'Instagram 445.0 on iOS 27 and Android 16; one report of 2026-09-18 says that it failed',
    source: 'https://github.com/shalanah/inapp-debugger/pull/23',
  },
  {
    id: 'line-parameter',
    apps: ['LINE'],
    platforms: ['ios', 'android'],
    form: '{url}',
    parameter: 'openExternalBrowser=1',
    mayFail: false,
    testedOn: null,
    seenOn: 'documented by LINE',
    source: 'https://developers.line.biz/en/docs/messaging-api/using-line-url-scheme/',
  },
  {
    id: 'kakaotalk-open-external',
    apps: ['KakaoTalk'],
    platforms: ['ios', 'android'],
    form: 'kakaotalk://web/openExternal?url={encoded}',
    mayFail: true,
    testedOn: null,
    seenOn: 'used by a library',
    source: 'https://www.npmjs.com/package/open-external-browser',
  },
  {
    id: 'meta-android',
    apps: ['Facebook', 'Messenger', 'Threads'],
    platforms: ['android'],
    form: null,
    mayFail: false,
    testedOn: '2024-10-30',
    seenOn: 'intent: is blocked since October 2024',
    source: 'https://github.com/shalanah/inapp-debugger/issues/11',
  },
  {
    // An unnamed web view may show an error page for a scheme that it does not know.
    id: 'unnamed-android',
    apps: ['WebView'],
    platforms: ['android'],
    form: null,
    mayFail: false,
    testedOn: null,
    seenOn: 'unknown',
    source: 'https://github.com/shalanah/inapp-debugger/issues/7',
  },
  {
    // The system opens the app if it is installed and verified, and else the browser.
    id: 'android-intent',
    apps: 'others',
    platforms: ['android'],
    form: 'intent://{rest}#Intent;scheme={scheme};S.browser_fallback_url={encoded};end',
    mayFail: true,
    testedOn: '2024-10-30',
    seenOn: 'Telegram on Android 14',
    source: 'https://github.com/shalanah/inapp-debugger/issues/11',
  },
  {
    // It opens Safari, and not the person's own browser.
    id: 'ios-safari',
    apps: 'others',
    platforms: ['ios'],
    form: 'x-safari-{scheme}://{rest}',
    mayFail: true,
    testedOn: '2024-09-07',
    seenOn: 'iOS 17 and later; not in the half screens of Facebook ads',
    source: 'https://github.com/shalanah/inapp-debugger/pull/5',
  },
];
