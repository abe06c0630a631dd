// The query of a tapped URL: which parts are our own, which say how the person came, and which may go on. Each query is
// with or without its question mark, unless it says otherwise.
import { CLIP_PARAMETER } from '../links/tap-tokens.ts';
import { isShown, TOUCH_PARAMETER, type VisitorHeaders } from '../visitor/visitor.ts';
import { isOfExit } from './exits/exits.ts';
import { PHONE_PARAMETER } from './stands-in.ts';

const bare = (query: string): string => query.replace(/^\?/, '');

/** `?d=1` on a link opens its explanation for members who are signed in. Links of Firebase did the same. */
const ASKED = 'd=1';
/** With this parameter `d=1` is a parameter of the app: its person is no member, and the tap goes on. */
const ANSWERED = 'lf_d=0';

/** Bots and pages that load the link get what they always get: `d=1` may be the app's. */
export function asksToExplain(tappedQuery: string, headers: VisitorHeaders, kind: string): boolean {
  if (!tappedQuery.includes(ASKED) || kind === 'bot' || kind === 'prefetch') return false;
  const parts = bare(tappedQuery).split('&');
  return parts.includes(ASKED) && !parts.includes(ANSWERED) && isShown(headers);
}

/** Returns the link for a person who is no member. */
export function asTapped(url: URL): string {
  const parts = bare(url.search).split('&');
  return `${url.origin}${url.pathname}?${[...parts.filter((part) => part !== ''), ANSWERED].join('&')}`;
}

/** The parameter of our own that says how a person came to the link. A bare `qr` says the same in fewer characters. */
export const VIA_PARAMETER = 'lf_via';
export type Via = 'link' | 'qr' | 'banner';

export function viaOf(tappedQuery: string): Via {
  const parts = bare(tappedQuery).split('&');
  if (parts.some(isQr) || parts.includes(`${VIA_PARAMETER}=qr`)) return 'qr';
  return parts.includes(`${VIA_PARAMETER}=banner`) ? 'banner' : 'link';
}

const isQr = (part: string): boolean => part === 'qr' || part === 'qr=';

/** Removes our own parameters, which belong to no link. A click is stored with the result, which has no question mark. */
export function withoutOwn(tappedQuery: string): string {
  const query = bare(tappedQuery);
  if (!query.includes('lf_') && !query.includes('qr') && !query.includes('openExternalBrowser')) return query;
  return query
    .split('&')
    .filter((part) => !isOwn(part))
    .join('&');
}

const OWN = [TOUCH_PARAMETER, VIA_PARAMETER, CLIP_PARAMETER, PHONE_PARAMETER].map((name) => `${name}=`);

const isOwn = (part: string): boolean =>
  isQr(part) || part === ANSWERED || isOfExit(part) || OWN.some((name) => part.startsWith(name));

/** Click ids of ad networks, in lower case. They identify a click to the network and nobody to others. */
const CLICK_IDS: ReadonlySet<string> = new Set([
  // Google Ads: a click, its forms for iOS, and Campaign Manager.
  ...['gclid', 'gbraid', 'wbraid', 'dclid'],
  // Meta: Facebook, Instagram.
  ...['fbclid', 'igshid'],
  // TikTok, X, Microsoft Advertising, LinkedIn, Snapchat, Reddit, Pinterest, Yandex, Quora, Taboola, Outbrain.
  ...['ttclid', 'twclid', 'msclkid', 'li_fat_id', 'sccid', 'rdt_cid', 'epik', 'yclid', 'qclid', 'tblci', 'dicbo'],
]);

/**
 * Returns the parts that all readers of events may see, unchanged and in their order. The rest may identify a person
 * (`?email=…`).
 * @param query without its question mark
 * @param allowed more names, chosen by the app
 */
export const publishedQuery = (query: string, allowed: readonly string[]): string =>
  query
    .split('&')
    .filter((part) => {
      const name = nameOf(part);
      const lower = name.toLowerCase();
      return lower.startsWith('utm_') || CLICK_IDS.has(lower) || allowed.includes(name);
    })
    .join('&');

/** Returns the decoded name of a part. Empty when it is not valid: then it matches nothing. */
function nameOf(part: string): string {
  const end = part.indexOf('=');
  const name = end < 0 ? part : part.slice(0, end);
  if (!/[%+]/.test(name)) return name;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

/** The length of all parts that go on. A longer query goes on only as far as it is of a campaign. */
const MAX_LENGTH = 2_048;

/**
 * Returns the parts that go on to the web page of the app and to Play, unchanged and in their order. What the link or
 * the page already names is never replaced, because anybody can append a parameter to a link. Names are equal in any
 * case, because some servers read them so.
 * @param taken names of parameters that the target has already
 */
export function passedOn(tappedQuery: string, taken: Iterable<string>): string[] {
  const query = withoutOwn(tappedQuery);
  if (query === '') return [];
  const names = new Set([...taken].map((name) => name.toLowerCase()));
  let left = MAX_LENGTH;
  return (query.length > MAX_LENGTH ? publishedQuery(query, []) : query).split('&').filter((part) => {
    const name = nameOf(part).toLowerCase();
    // A token of ours must not come from anybody else.
    if (name === '' || name.startsWith('lf_') || names.has(name) || part.length > left) return false;
    left -= part.length + 1;
    return true;
  });
}
