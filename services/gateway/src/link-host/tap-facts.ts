// Facts of a tap for statistics, from its request. None of them identifies a person.
import { LRUCache } from 'lru-cache';
import { baseLanguage } from '../links/language.ts';
import type { VisitorHeaders } from '../visitor/visitor.ts';

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
