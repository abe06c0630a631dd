// Reads X-Forwarded-For hop by hop, from our own peer outwards. No other file reads it.
import { LRUCache } from 'lru-cache';
import proxyaddr from 'proxy-addr';
import { type Address, readAddress } from './address.ts';

/** `hop`: the number of proxies away. `ip`: undefined when the hop is not a valid address. */
export type Trusts = (ip: string | undefined, hop: number) => boolean;

/** The client of a request, as far as trusted proxies name it. */
export interface Origin {
  /** The text as the proxy wrote it. */
  said: string;
  /** Null when the text is not an address. */
  address: Address | null;
  /** The last hop with a valid address. Equal to `address` when that is valid. Null when even the peer has none. */
  counted: Address | null;
}

/** The longest chain of proxies that is judged. */
const MAX_HOPS = 32;

/**
 * Reads the header as express does under `trust proxy`, and also accepts ports, brackets and zones. Returns the first
 * untrusted hop, else the outermost. Several header lines are one list.
 * @param forwardedFor the header; undefined when there is none
 */
export function originOf(peer: string, forwardedFor: string | undefined, trusts: Trusts): Origin {
  let said = peer;
  let address = readAddress(peer);
  let counted = address;
  // The end of the unread part of the header. It is -1 when nothing is left.
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
 * Turns TRUST_PROXY into a function. It caches its results: every request asks several times about the same few peers,
 * and the comparison with ranges is slow.
 * @param trust a number of trusted hops, whatever their addresses; or names, addresses and ranges
 */
export function trustedPeers(trust: number | string[]): Trusts {
  if (typeof trust === 'number') return (_, hop) => hop < trust;
  const decide = proxyaddr.compile(trust);
  const known = new LRUCache<string, boolean>({ max: 10_000, memoMethod: (ip) => decide(ip, 0) });
  return (ip) => ip !== undefined && known.memo(ip);
}
