// Records taps of people: publishes each once, and remembers what its page may cause.

import { labelsOf } from '@landfall/contracts';
import type { ClientAddress, HttpRequest, LimitCounter } from '@landfall/http';
import { LRUCache } from 'lru-cache';
import type { Countries } from '../country/country-of.ts';
import { baseLanguage } from '../links/language.ts';
import { utmNamesOfLink, utmOf } from '../links/utm.ts';
import { MAX_HOST } from '../lookups/lookups.ts';
import type { Uses } from '../routing/route.ts';
import { browserOf } from '../visitor/browser.ts';
import { phoneFactsOf } from '../visitor/phone.ts';
import { userAgentOf, type VisitorHeaders } from '../visitor/visitor.ts';
import type { TapAnswer, TapInput } from './answer-tap.ts';
import { publishedQuery, viaOf, withoutOwn } from './tapped-query.ts';
import type { TapTeller } from './tell-tap.ts';

/** A tap with its id. */
export type Tap = TapInput & { id: string };

export interface Recording {
  parts: Uses<'hashes' | 'sealer'>;
  limits: LimitCounter;
  taps: TapTeller;
  countries: Countries;
}

/** The maximum in bytes, so that the sealed URL is short enough, too. */
const MAX_URL = 4_096;

/** Returns a function that records a tap. It returns false for one over the rate limit, which is not recorded. */
export function recordTap({ parts, limits, taps, countries }: Recording) {
  /** Adds the whole URL when it differs and an install may need it. A query that no link has is dropped. */
  function tappedUrls({ app, linkUrl, tappedQuery }: Tap, { deferred }: TapAnswer) {
    const query = withoutOwn(tappedQuery);
    const whole = withQuery(linkUrl, query);
    if (query === '' || Buffer.byteLength(whole) > MAX_URL) return { url: linkUrl, sealedUrl: null };
    const url = withQuery(linkUrl, publishedQuery(query, app.publishedParameters));
    return { url, sealedUrl: deferred && url !== whole ? parts.sealer.seal('tapped url', whole) : null };
  }

  function factsOf(req: HttpRequest, tap: Tap, { target }: TapAnswer, country: string | null) {
    const { app, link, visitor, hosts, tappedQuery } = tap;
    const query = tappedQuery.replace(/^\?/, '');
    const browser = browserOf(userAgentOf(req.headers), visitor.platform);
    const phone = phoneFactsOf(req.headers, visitor);
    const isExact = app.matching.evidence === 'exact';
    const utm = utmOf(query, link);
    return {
      target,
      country,
      via: viaOf(query),
      referrer: referrerOf(req.headers, hosts),
      ...browser,
      osVersion: browser.osVersion ?? phone.osVersion,
      model: phone.model === null || isExact ? null : parts.hashes.model(phone.model),
      builds: isExact ? null : (phone.fingerprints?.map(parts.hashes.build) ?? null),
      language: languageOf(req.headers),
      inAppBrowser: visitor.inApp,
      utm,
      utmOfLink: utmNamesOfLink(utm, link),
      labels: labelsOf(link.metadata, app.labels),
    };
  }

  return async (req: HttpRequest, address: ClientAddress, tap: Tap, answer: TapAnswer): Promise<boolean> => {
    const used = await limits.use('tap', address.key, address.site);
    if (!used.allowed) return false;
    const { id, now, app, link, visitor } = tap;
    await taps.tell({
      id,
      now,
      data: {
        linkId: link.id,
        appId: app.id,
        ...tappedUrls(tap, answer),
        platform: visitor.platform,
        inApp: visitor.inApp !== null,
        deferred: answer.deferred,
        address: parts.hashes.address(address),
        userAgent: parts.hashes.userAgent(req.headers['user-agent'] ?? ''),
        ...factsOf(req, tap, answer, countries.of(req, address)),
      },
    });
    return true;
  };
}

const withQuery = (url: string, query: string): string => (query === '' ? url : `${url}?${query}`);

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
