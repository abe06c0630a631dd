// The rate limits for each address. The numbers are those of spec 8, per minute and address. The limits of taps, QR
// codes, the management API and server keys are our own.
import type { Check } from '@landfall/runtime';

export const specLimits = {
  'create-link': 10,
  'resolve-link': 30,
  restore: 20,
  heartbeat: 10,
  store: 20,
  /** A start of an app asks once, beside its restore. */
  address: 30,
  /** Developers ask for it, with a key that everybody can read. */
  'device-check': 20,
  'push-register': 20,
  'push-opened': 30,
  /** A tap over the limit is answered and not recorded. Nobody is refused. */
  tap: 300,
  /** Taps on slugs that no link has, and that somebody could have chosen. One over the limit finds no link at all. */
  'unknown-slug': 60,
  /** QR codes as images. A large PNG that must be drawn counts as several. One over the limit is refused. */
  qr: 300,
  manage: 600,
  /** Checks of association files and DNS: each sends requests to other hosts. */
  checks: 30,
  /** Two a second. Each may be for one person or for all. */
  'push-send': 120,
  /** The OpenAPI document and the seven files of its page. */
  documents: 120,
  /** Questions about a shared view, and pages that hold it. */
  share: 60,
  /** The same of all viewers of one share. Counts per share, not per address. */
  'share-in-all': 600,
  /** Routes that hash a password: sign-in, set-up, joining, a new password. */
  'sign-in': 20,
  /** Counts per server key, not per address. One bulk call counts once. */
  'server-create': 600,
};
export type LimitName = keyof typeof specLimits;
export type Limits = Record<LimitName, number>;
export const limitNames = Object.keys(specLimits) as LimitName[];

/**
 * Returns the number of calls of an address that a gateway keeps to itself before it reports them. For taps it is a
 * thirtieth of the limit, because no answer of a tap shows the remaining calls. Nearly every tap is one of the first of
 * its address. Up to `gateways * 10` taps above 300 may be recorded.
 */
export const uncounted = (name: LimitName, limit: number): number => (name === 'tap' ? Math.floor(limit / 30) : 0);

/** The length of the window of every limit, in seconds. A window begins with the first call of an address. */
export const WINDOW_SECONDS = 60;

export interface Used {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/** Counts calls. An adapter decides where: in memory, or in a Redis that all gateways share. */
export interface LimitCounter {
  /**
   * Counts a call of an address. Also counts it for the site, unless the address is over its own limit. Never
   * rejects: a counter that cannot count lets the call pass or counts elsewhere.
   * @param site the /48 of an IPv6 address, so that nobody evades a limit with another /64 for each call
   * @param calls the number of calls that it counts as; 1 if missing
   * @returns the tighter of the two limits
   */
  use(name: LimitName, address: string, site?: string | null, calls?: number): Promise<Used>;
  mode(): 'memory' | 'redis';
  health(): Check;
  close(): void;
}

/**
 * Returns the verdict, which is the same for memory and Redis.
 * @param used calls in the window, including this one
 * @param leftMs milliseconds until the window ends
 */
export function usedOf(limit: number, used: number, leftMs: number): Used {
  return {
    allowed: used <= limit,
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  };
}

/** The limit of a site. Refused calls of one address do not count, so none can block its neighbours. */
export const siteLimit = (limit: number): number => limit * 10;

/** Returns the limit that the caller must heed: the one that refuses, else the one with fewer calls left. */
export function tighter({ address, site }: { address: Used; site: Used | null }): Used {
  if (site === null) return address;
  if (address.allowed !== site.allowed) return address.allowed ? site : address;
  return site.remaining < address.remaining ? site : address;
}
