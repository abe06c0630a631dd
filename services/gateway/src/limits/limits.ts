// The limits: calls a minute and address, as in spec 8. The limits of taps, the management API and server keys are our
// own.
import type { Check } from '@landfall/runtime';

export const specLimits = {
  'create-link': 10,
  'resolve-link': 30,
  restore: 20,
  heartbeat: 10,
  store: 20,
  'push-register': 20,
  'push-opened': 30,
  /** Over it a tap is answered and not recorded: nobody is sent away. */
  tap: 300,
  manage: 600,
  /** Each may be for a person or for everybody: two a second. */
  'push-send': 120,
  /** The OpenAPI document and the files of its page, of which there are seven. */
  documents: 120,
  /** The routes that hash a password: sign-in, set-up, joining, changing a password. */
  'sign-in': 20,
  /** Of a server key instead of an address. A call for links in bulk is one. */
  'server-create': 600,
};
export type LimitName = keyof typeof specLimits;
export type Limits = Record<LimitName, number>;
export const limitNames = Object.keys(specLimits) as LimitName[];

/**
 * Calls of an address that each gateway keeps to itself before it tells the others: a thirtieth of the limit, where no answer
 * says what is left. Nearly every tap is one of the first few of its address. `gateways * 10` taps more than 300 may be recorded.
 */
export const untold = (name: LimitName, limit: number): number => (name === 'tap' ? Math.floor(limit / 30) : 0);

/** Every limit counts in windows of this length, which begin with an address's first call. */
export const WINDOW_SECONDS = 60;

/** The result of counting a call. */
export interface Used {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/** Counts calls. Where the counts are kept is the adapter's business: memory, or Redis shared by all gateways. */
export interface LimitCounter {
  /**
   * Counts one call of an address and, unless the address is over its own limit, of its site. Never rejects: a counter that
   * cannot count lets the call pass or counts elsewhere.
   * @param site the /48 of an IPv6 address, so that nobody evades a limit with another /64 for each call
   * @returns the tighter of the two
   */
  use(name: LimitName, address: string, site?: string | null): Promise<Used>;
  /** The place where calls are counted at the moment. */
  mode(): 'memory' | 'redis';
  health(): Check;
  /** Lets go of what it is connected to. */
  close(): void;
}

/**
 * The same verdict wherever is counted.
 * @param used calls in the window, with this one
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

/** Of all addresses of a site together. What one address is refused is not among it: it must not shut its neighbours out. */
export const siteLimit = (limit: number): number => limit * 10;

/** The limit of the two that matters to the caller: the one that refuses, else the one with less left. */
export function tighter({ address, site }: { address: Used; site: Used | null }): Used {
  if (site === null) return address;
  if (address.allowed !== site.allowed) return address.allowed ? site : address;
  return site.remaining < address.remaining ? site : address;
}
