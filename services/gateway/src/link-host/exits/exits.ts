// Finds the way out of the browser inside another app, and reads from a query which way a person took.

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
  /** True when the app always leads out. Otherwise a script points to the way by hand after a moment. */
  isSure?: true;
}

/**
 * Ways out of the browsers inside other apps. The first row that fits decides. None is official but LINE's. An app may
 * stop one with any version, so the page always says the way by hand, too. Try a row on a phone before you change it.
 * `docs/guides/link-pages.md` has the source of each, and the day of its test.
 */
export const EXITS: readonly ExitRow[] = [
  { id: 'wechat', apps: ['WeChat'], platforms: ['ios', 'android'], form: null },
  {
    id: 'instagram-extbrowser',
    apps: ['Instagram'],
    platforms: ['ios', 'android'],
    form: 'instagram://extbrowser/?url={encoded}',
  },
  {
    id: 'line-parameter',
    apps: ['LINE'],
    platforms: ['ios', 'android'],
    form: '{url}',
    parameter: 'openExternalBrowser=1',
    isSure: true,
  },
  {
    id: 'kakaotalk-open-external',
    apps: ['KakaoTalk'],
    platforms: ['ios', 'android'],
    form: 'kakaotalk://web/openExternal?url={encoded}',
  },
  { id: 'meta-android', apps: ['Facebook', 'Messenger', 'Threads'], platforms: ['android'], form: null },
  // An unnamed web view may show an error page for a scheme that it does not know.
  { id: 'unnamed-android', apps: ['WebView'], platforms: ['android'], form: null },
  {
    // The system opens the app if it is installed and verified, and else the browser.
    id: 'android-intent',
    apps: 'others',
    platforms: ['android'],
    form: 'intent://{rest}#Intent;scheme={scheme};S.browser_fallback_url={encoded};end',
  },
  // It opens Safari, and not the person's own browser.
  { id: 'ios-safari', apps: 'others', platforms: ['ios'], form: 'x-safari-{scheme}://{rest}' },
];

/** A way out for one tap. */
export interface Exit {
  url: string;
  /** True when the app may do nothing. */
  mayFail: boolean;
  /** The path that a browser calls when a person uses the exit. It is on the host of the page, whichever that is. */
  reportPath: string;
}

/** The parameter of a link that was opened by an exit. */
const OUT = 'lf_out';
/** The parameter with which a browser reports that a person used an exit. */
const USED = 'lf_exit';

const byId = new Map(EXITS.map((row) => [row.id, row]));

type InApp = { inApp: string | null; platform: string };

/** Returns the row for a visitor inside another app, perhaps one without an exit. Null: they are in no other app. */
export function rowOf({ inApp, platform }: InApp): ExitRow | null {
  if (inApp === null) return null;
  const fits = ({ apps, platforms }: ExitRow) =>
    (apps === 'others' || apps.includes(inApp)) && platforms.some((one) => one === platform);
  return EXITS.find(fits) ?? null;
}

/**
 * @param inApp the app as `classifyVisitor` names it
 * @param link the link on the requested host, with its query
 */
export function exitOf(inApp: string, platform: 'ios' | 'android', link: string): Exit | null {
  const row = rowOf({ inApp, platform });
  if (row === null || row.form === null) return null;
  const { id, form, isSure = false } = row;
  return {
    url: urlOf(row, form, link),
    mayFail: !isSure,
    reportPath: `${new URL(link).pathname}?${USED}=${id}`,
  };
}

function urlOf({ id, parameter }: ExitRow, form: string, link: string): string {
  const added = [`${OUT}=${id}`, ...(parameter ? [parameter] : [])].join('&');
  const url = `${link}${link.includes('?') ? '&' : '?'}${added}`;
  const at = url.indexOf('://');
  const values: Record<string, string> = {
    url,
    encoded: encodeURIComponent(url),
    scheme: url.slice(0, at),
    rest: url.slice(at + 3),
  };
  return form.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
}

/**
 * Returns the exit that led out of another app. Null for a tap that came in another way.
 * @param tappedQuery with or without its question mark
 */
export const leftBy = (tappedQuery: string): ExitRow | null => rowIn(tappedQuery, OUT);

/** Returns the exit whose use a browser reports. Null: the request is no report. */
export const reportedIn = (query: string): ExitRow | null => rowIn(query, USED);

function rowIn(query: string, name: string): ExitRow | null {
  if (!query.includes(name)) return null;
  return byId.get(new URLSearchParams(query).get(name) ?? '') ?? null;
}

/** Returns the parameter that tells the next page which exit was used. Empty: none was. */
export function outParameter(tappedQuery: string): string {
  const row = leftBy(tappedQuery);
  return row === null ? '' : `${OUT}=${row.id}`;
}

const ours = [`${OUT}=`, `${USED}=`, ...EXITS.flatMap(({ parameter }) => parameter ?? [])];

/** True for a part of a query that belongs to an exit and not to the link. */
export const isOfExit = (part: string): boolean => ours.some((own) => part.startsWith(own));
