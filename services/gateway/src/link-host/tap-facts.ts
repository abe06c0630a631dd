// Facts of a tap for statistics, from its request and its link. None of them identifies a person.
import { UTM_LENGTH, type UtmName, utmNames } from '@landfall/contracts';
import { LRUCache } from 'lru-cache';
import { baseLanguage } from '../routes/language.ts';
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
 * Returns the host of the page with the link.
 * @param own the hosts of the app, with ports. A page on them is our own, and led nobody here.
 */
export function referrerOf(headers: VisitorHeaders, own: readonly string[]): string | null {
  const { referer } = headers;
  if (typeof referer !== 'string' || referer === '' || !URL.canParse(referer)) return null;
  const { host, hostname } = new URL(referer);
  if (hostname === '' || hostname.length > MAX_HOST || own.includes(host)) return null;
  return hostname.toLowerCase();
}

export type Utm = Record<UtmName, string | null>;

/**
 * Returns the effective `utm_*` values: of the tapped URL, else of the destination of the link, each for itself. Null
 * when there are none.
 * @param query of the tapped URL, without its question mark
 */
export function utmOf(query: string, destination: string): Utm | null {
  if (!query.includes('utm_') && !destination.includes('utm_')) return null;
  const tapped = new URLSearchParams(query);
  const at = destination.indexOf('?');
  const given = new URLSearchParams(at < 0 ? '' : destination.slice(at + 1).replace(/#.*$/s, ''));
  const values = utmNames.map((name) => [name, firstValue(`utm_${name}`, tapped, given)] as const);
  return values.every(([, value]) => value === null) ? null : (Object.fromEntries(values) as Utm);
}

function firstValue(name: string, ...sources: readonly URLSearchParams[]): string | null {
  for (const source of sources) {
    const value = source.get(name)?.replaceAll('\0', '').trim().slice(0, UTM_LENGTH).toWellFormed();
    if (value) return value;
  }
  return null;
}
