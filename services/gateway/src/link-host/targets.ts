// The targets of a tap: the stores and the web. Every URL is http or https and leads away from the app's own hosts,
// because otherwise a redirect would come back to us for ever.
import type { App, Link } from '@landfall/contracts';
import { splitDestination } from '../links/link.ts';
import { TAP_PARAMETER } from '../links/tap-tokens.ts';
import { type UtmParameters, utmInQuery, utmOfLink } from '../links/utm.ts';
import type { SimulatedStores } from './stands-in.ts';
import { passedOn, publishedQuery } from './tapped-query.ts';

const STORES = ['apple', 'play', 'huawei', 'amazon'] as const;
export type StoreName = (typeof STORES)[number];
export type StoreLink = { store: StoreName; url: string };

export type TargetInput = {
  app: App;
  link: Link;
  /** The app's own hosts, with ports. No target may lead there. */
  hosts: readonly string[];
  /** The query, with or without its question mark. */
  tappedQuery: string;
  /** Set for the simulated app: its page, on a host of the app, takes the place of these stores. */
  simulated?: SimulatedStores | null;
};

export type Targets = ReturnType<typeof targetsOf>;

/**
 * Returns the targets of one tap. Each is computed when it is used, because most taps use one.
 * @param playToken the token that names this tap to the app through Play. Null: none.
 */
export function targetsOf(input: TargetInput, playToken: string | null) {
  /** Returns the page of the app in this store, or null. */
  const store = (name: StoreName): string | null => {
    switch (name) {
      case 'apple':
        return ofLink(input, 'iosUrl') ?? input.simulated?.apple ?? appStoreUrl(input);
      case 'play':
        return playUrl(input, playToken);
      case 'huawei':
        return away(input, input.app.android.huaweiStoreUrl);
      case 'amazon':
        return away(input, input.app.android.amazonStoreUrl);
    }
  };
  return {
    store,
    /** Returns the pages in these stores, or in all of them. */
    stores: (names: readonly StoreName[] = STORES): StoreLink[] =>
      names.flatMap((name) => {
        const url = store(name);
        return url === null ? [] : [{ store: name, url }];
      }),
    web: () => webUrl(input),
    /** Returns the page that the link has for the time after its end, or null. */
    afterEnd: () => ofLink(input, 'expiredUrl'),
  };
}

/** Returns a page that the link itself has, or null. */
const ofLink = (input: TargetInput, name: 'webUrl' | 'iosUrl' | 'androidUrl' | 'expiredUrl'): string | null =>
  away(input, input.link[name] ?? null);

/** Google and some browsers cut longer URLs. */
const MAX_PLAY_URL = 2_000;

/** Returns the App Store page, or the page that the app has instead. */
function appStoreUrl(input: TargetInput): string | null {
  const { storeId, storeUrl } = input.app.ios;
  return away(input, storeUrl) ?? (storeId === null ? null : `https://apps.apple.com/app/id${storeId}`);
}

/** Play, or the page that the link or the app has instead. Play gives the referrer to the app after the install. */
function playUrl(input: TargetInput, token: string | null): string | null {
  const page = playTargetOf(input);
  if (page === null) return null;
  if (page.elsewhere) return page.url;
  const parts: Parameter[] = token === null ? [] : [[TAP_PARAMETER, token]];
  const linkParts = [...parts, ...ranked(utmOfLink(input.link))];
  // The owner's own referrer comes after ours, because Play allows one parameter only.
  const owners = page.referrer.filter(([name]) => linkParts.every(([ours]) => ours !== name));
  const tapped = tappedForPlay(input, [...linkParts, ...owners]);
  return withReferrer(page.url, [...linkParts, ...tapped, ...owners]);
}

/**
 * Returns what was appended to the tapped URL as far as events publish it. The rest may identify the person, and Google
 * would read it. The app gets it by the token.
 */
function tappedForPlay({ app, tappedQuery }: TargetInput, taken: readonly Parameter[]): Parameter[] {
  const parts = passedOn(tappedQuery, [TAP_PARAMETER, ...taken.map(([name]) => name)]);
  if (parts.length === 0) return [];
  const query = publishedQuery(parts.join('&'), app.publishedParameters);
  const others = [...new Map(new URLSearchParams(query))].filter(([name]) => !name.startsWith('utm_'));
  return [...ranked(utmInQuery(query)), ...others];
}

interface PlayPage {
  /** The URL without its referrer. */
  url: string;
  /** The referrer parameters of the owner's URL. */
  referrer: readonly Parameter[];
  /** True when it is not Play. Then the URL is used unchanged. */
  elsewhere: boolean;
}

function playTargetOf(input: TargetInput): PlayPage | null {
  const own = ofLink(input, 'androidUrl');
  if (own !== null) return readPage(own);
  const simulated = input.simulated?.play ?? null;
  return simulated === null ? playPageOf(input) : { url: simulated, referrer: [], elsewhere: false };
}

/** A cache of the parsed pages. Apps come from a cache and never change. */
const playPages = new WeakMap<App, PlayPage | null>();

function playPageOf(input: TargetInput): PlayPage | null {
  const known = playPages.get(input.app);
  if (known !== undefined) return known;
  const page = readPlayPage(input);
  playPages.set(input.app, page);
  return page;
}

function readPlayPage(input: TargetInput): PlayPage | null {
  const { package: packageName, storeUrl } = input.app.android;
  const own = away(input, storeUrl);
  if (own === null && packageName === null) return null;
  return readPage(own ?? `https://play.google.com/store/apps/details?id=${packageName}`);
}

function readPage(page: string): PlayPage {
  const url = new URL(page);
  if (url.hostname !== 'play.google.com') return { url: url.href, referrer: [], elsewhere: true };
  const referrer = [...new URLSearchParams(url.searchParams.get('referrer') ?? '')];
  url.searchParams.delete('referrer');
  url.hash = '';
  return { url: url.href, referrer, elsewhere: false };
}

/**
 * Returns the web page of the link with its campaign, else the app's web fallback, extended with the link's destination
 * and campaign. Both get what was appended to the tapped URL. The origin, path and query of the fallback stay.
 */
function webUrl(input: TargetInput): string | null {
  const own = ofLink(input, 'webUrl');
  if (own !== null) return withTapped(withQuery(new URL(own), '', input.link), [], input).href;
  const fallback = away(input, input.app.webFallbackUrl);
  if (fallback === null) return null;
  const { destination } = input.link;
  const url = new URL(fallback);
  const route = ROUTE.exec(url.hash)?.[0];
  if (route === undefined) return withTapped(withDestination(url, destination, input.link), [], input).href;
  const inside = withDestination(
    new URL(url.hash.slice(route.length), 'https://route.invalid'),
    destination,
    input.link,
  );
  url.hash = route + inside.pathname + inside.search + inside.hash;
  // Scripts that count campaigns read the query before the fragment.
  return withTapped(url, inside.searchParams.keys(), input).href;
}

/** The beginning of a fragment in which the page keeps its path, as `#/` and `#!/`. The path itself is not in it. */
const ROUTE = /^#!?(?=\/)/;

function withDestination(url: URL, destination: string, link: Link): URL {
  const { path, query, fragment } = splitDestination(destination);
  // The path of the destination is resolved first. A `..` in it cannot remove a part of the fallback's path.
  const below = new URL('https://destination.invalid');
  below.pathname = path;
  if (below.pathname !== '/') url.pathname = url.pathname.replace(/\/$/, '') + below.pathname;
  withQuery(url, query, link);
  if (fragment !== '') url.hash = fragment;
  return url;
}

function withQuery(url: URL, query: string, link: Link): URL {
  const joined = joinQueries(url, query, link);
  url.search = joined === '' ? '' : `?${joined}`;
  return url;
}

/** @param taken names of parameters that the page has elsewhere */
function withTapped(url: URL, taken: Iterable<string>, { tappedQuery }: TargetInput): URL {
  const parts = passedOn(tappedQuery, [...url.searchParams.keys(), ...taken]);
  if (parts.length > 0) url.search = [url.search, ...parts].filter((part) => part !== '').join('&');
  return url;
}

type Parameter = readonly [name: string, value: string];

// Parameters that Play's own reports read come first, so that they are dropped last when the URL is too long.
const KNOWN_UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'];

function rank(name: string): number {
  const at = KNOWN_UTM.indexOf(name);
  return at === -1 ? KNOWN_UTM.length : at;
}

/** Returns the `utm_*` of the link in the order of their importance. */
const ranked = (utm: UtmParameters): Parameter[] => [...utm].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));

/** Adds as many whole parameters as fit. The token is the first. */
function withReferrer(url: string, parts: readonly Parameter[]): string {
  const start = `${url}${url.includes('?') ? '&' : '?'}referrer=`;
  let referrer = '';
  for (const [name, value] of parts) {
    const part = `${referrer === '' ? '' : '&'}${encode(name)}=${encode(value)}`;
    if (name !== TAP_PARAMETER && start.length + encode(referrer + part).length >= MAX_PLAY_URL) continue;
    referrer += part;
  }
  return referrer === '' ? url : start + encode(referrer);
}

/** Half a surrogate pair would throw. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

function away(input: TargetInput, target: string | null): string | null {
  if (target === null) return null;
  const url = URL.parse(target);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return input.hosts.includes(url.host) ? null : url.href;
}

/**
 * Joins the query of the fallback, that of the destination, and the campaign in the link's metadata. A parameter of the
 * fallback is dropped when the link has the same name. Those of the destination do not change.
 */
function joinQueries(fallback: URL, query: string, link: Link): string {
  const named = new URLSearchParams(query);
  const utm = [...utmOfLink(link)].filter(([name]) => !named.has(name));
  const isLinks = (name: string) => named.has(name) || utm.some(([its]) => its === name);
  const own = [...fallback.searchParams].filter(([name]) => !isLinks(name));
  const kept = own.length === fallback.searchParams.size ? fallback.search.slice(1) : `${new URLSearchParams(own)}`;
  return [kept, query, `${new URLSearchParams(utm)}`].filter((part) => part !== '').join('&');
}
