// Facts of a tap for statistics, from its request and its link. None of them identifies a person.
import { type Link, UTM_LENGTH, type UtmName, utmNames } from '@landfall/contracts';
import { LRUCache } from 'lru-cache';
import { baseLanguage } from '../routes/language.ts';
import { splitDestination } from './targets.ts';
import type { VisitorHeaders } from './visitor/visitor.ts';

/** The parameter of our own that says how a person came to the link. A bare `qr` says the same in fewer characters. */
export const VIA_PARAMETER = 'lf_via';
export type Via = 'link' | 'qr' | 'banner';

/** @param query of the tapped URL, without its question mark */
export function viaOf(query: string): Via {
  if (query === '') return 'link';
  const parts = query.split('&');
  if (parts.some(isQr) || parts.includes(`${VIA_PARAMETER}=qr`)) return 'qr';
  return parts.includes(`${VIA_PARAMETER}=banner`) ? 'banner' : 'link';
}

const isQr = (part: string): boolean => part === 'qr' || part === 'qr=';

/** True for a part of a query that only says how a person came to the link. It belongs to no link. */
export const isVia = (part: string): boolean => isQr(part) || part.startsWith(`${VIA_PARAMETER}=`);

/**
 * Returns the first language that the browser prefers, without its region: `de` for `de-AT,en;q=0.8`. Each language has
 * one code: `he` also for `iw`, `de` also for `deu`.
 */
export function languageOf(headers: VisitorHeaders): string | null {
  const accepted = headers['accept-language'];
  const [, language] = /^\s*([a-z]{2,3})(?=[\s,;-]|$)/i.exec(typeof accepted === 'string' ? accepted : '') ?? [];
  return language === undefined ? null : codes.memo(language.toLowerCase());
}

/** A cache: finding the one code takes a microsecond. */
const codes = new LRUCache<string, string>({
  max: 500,
  memoMethod: (language) => baseLanguage(language) ?? language,
});

const MAX_HOST = 253;

/**
 * Returns the host of the page with the link, without `www.` and a dot at its end: they are the same site.
 * @param own the hosts of the app, with ports. A page on them is our own, and led nobody here.
 */
export function referrerOf(headers: VisitorHeaders, own: readonly string[]): string | null {
  const { referer } = headers;
  if (typeof referer !== 'string' || referer === '' || !URL.canParse(referer)) return null;
  const { host, hostname } = new URL(referer);
  if (hostname === '' || hostname.length > MAX_HOST || own.includes(host)) return null;
  const site = hostname
    .toLowerCase()
    .replace(/\.+$/, '')
    .replace(/^www\.(?=[^.]+\.)/, '');
  return site === '' ? null : site;
}

export type Utm = Record<UtmName, string | null>;

const NONE: Utm = { source: null, medium: null, campaign: null, term: null, content: null };

/**
 * Returns the effective `utm_*` values: of the tapped URL, else of the destination of the link, each for itself. Null
 * when there are none.
 * @param query of the tapped URL, without its question mark
 */
export function utmOf(query: string, link: Pick<Link, 'destination'>): Utm | null {
  const given = utmOfLink(link);
  if (!query.includes('utm_')) return given;
  const tapped = readUtm(query);
  if (tapped === null || given === null) return tapped ?? given;
  const values = utmNames.map((name) => [name, tapped[name] ?? given[name]] as const);
  return Object.fromEntries(values) as Utm;
}

/** Returns the names of the values that are those of the link itself, also when the tapped URL repeats them. */
export function utmNamesOfLink(utm: Utm | null, link: Pick<Link, 'destination'>): UtmName[] {
  const own = utmOf('', link);
  if (utm === null || own === null) return [];
  return utmNames.filter((name) => own[name] !== null && utm[name] === own[name]);
}

/** A cache. Links come from a cache and never change. */
const utms = new WeakMap<Pick<Link, 'destination'>, Utm | null>();

function utmOfLink(link: Pick<Link, 'destination'>): Utm | null {
  const known = utms.get(link);
  if (known !== undefined) return known;
  const utm = readUtm(splitDestination(link.destination).query);
  utms.set(link, utm);
  return utm;
}

/** Returns the values in a query. Null when there are none. */
function readUtm(query: string): Utm | null {
  const parameters = new URLSearchParams(query);
  const found = utmNames.flatMap((name) => {
    const value = parameters.get(`utm_${name}`)?.replaceAll('\0', '').trim().slice(0, UTM_LENGTH).toWellFormed();
    return value ? [[name, value] as const] : [];
  });
  return found.length === 0 ? null : { ...NONE, ...Object.fromEntries(found) };
}
