// X-Forwarded-For, read hop by hop from our own peer outwards. The only place that reads it.
import { LRUCache } from 'lru-cache';
import proxyaddr from 'proxy-addr';
import { type Address, readAddress } from './address.ts';

/**
 * Returns true when the hop is a trusted proxy. `hop` counts proxies from us; `ip` is undefined when it is not an
 * address.
 */
export type Trusts = (ip: string | undefined, hop: number) => boolean;

/** The client of a request, as far as trusted proxies say. */
export interface Origin {
  /** As it was written. */
  said: string;
  /** Null when that is no address. */
  address: Address | null;
  /** The last hop that is an address, so `address` where that is one; null when not even the peer is. */
  counted: Address | null;
}

/** A longer chain of proxies cannot be judged. */
const MAX_HOPS = 32;

/**
 * As express reads the header under `trust proxy`, and with ports, brackets and zones: the first hop that is not trusted, else
 * the outermost. Several header lines are one list.
 * @param forwardedFor the header; undefined when there is none
 */
export function originOf(peer: string, forwardedFor: string | undefined, trusts: Trusts): Origin {
  let said = peer;
  let address = readAddress(peer);
  let counted = address;
  // The remaining header ends here; -1 when nothing remains.
  let end = forwardedFor === undefined ? -1 : forwardedFor.length;
  for (let hop = 0; end >= 0 && trusts(address?.ip, hop); hop++) {
    if (hop === MAX_HOPS) return { said, address: null, counted };
    const comma = end === 0 ? -1 : forwardedFor!.lastIndexOf(',', end - 1);
    said = forwardedFor!.slice(comma + 1, end).trim();
    address = readAddress(said);
    counted = address ?? counted;
    end = comma;
  }
  return { said, address, counted };
}

/**
 * TRUST_PROXY as a function. Every request asks several times about the same few peers, and comparing an address with ranges
 * is slow: answers are remembered.
 * @param trust a number of hops, which are trusted whatever they are called; or names, addresses and ranges
 */
export function trustedPeers(trust: number | string[]): Trusts {
  if (typeof trust === 'number') return (_, hop) => hop < trust;
  const decide = proxyaddr.compile(trust);
  const known = new LRUCache<string, boolean>({ max: 10_000, memoMethod: (ip) => decide(ip, 0) });
  return (ip) => ip !== undefined && known.memo(ip);
}
