// Finds the client's address of a request. Limits count it, and matching hashes it.
import { isPrivate, readAddress } from './address.ts';
import { originOf, type Trusts } from './forwarded-for.ts';
import type { UntrustedProxies } from './untrusted-proxies.ts';

export interface ClientAddress {
  /** The value that limits count. */
  key: string;
  /** The /48 of an IPv6 address, which limits count as well; null of IPv4. */
  site: string | null;
  /** False: nobody knows the address, or many people share it without being neighbours. Nothing may be matched by it. */
  matchable: boolean;
}

/** The way in which a request's address was found. */
export interface AddressFound {
  /** The peer at the other end of the connection. */
  peer: string;
  /** True when the peer is a trusted proxy. */
  trusted: boolean;
  /** X-Forwarded-For as it came, cut at 1,000 characters. */
  forwardedFor: string | null;
  /** Bare; where a proxy wrote no address, what it wrote, cut at 100 characters. */
  address: string;
  matchable: boolean;
}

/** The part of a request that this file needs. */
interface Peer {
  socket: { remoteAddress?: string | undefined };
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * If the value is not an address, limits count the last hop that is one.
 * @param proxies hears of an untrusted proxy; left out when the header is made up for a test of the proxy
 */
export function clientAddress(req: Peer, trusts: Trusts, proxies?: UntrustedProxies): ClientAddress {
  const { address, counted } = found(req, trusts);
  const { key, site } = counted ?? { key: '', site: null };
  const untrusted = untrustedProxy(req, trusts);
  if (untrusted !== null) proxies?.seen(untrusted);
  return { key, site, matchable: address !== null && untrusted === null };
}

export function addressFound(req: Peer, trusts: Trusts): AddressFound {
  const peer = readAddress(peerOf(req));
  const { said, address } = found(req, trusts);
  return {
    peer: peer?.ip ?? peerOf(req),
    trusted: trusts(peer?.ip, 0),
    forwardedFor: forwardedFor(req)?.slice(0, MAX_FORWARDED) ?? null,
    address: (address?.ip ?? said).slice(0, MAX_SAID),
    matchable: clientAddress(req, trusts).matchable,
  };
}

const MAX_FORWARDED = 1_000;
const MAX_SAID = 100;

const peerOf = (req: Peer): string => req.socket.remoteAddress ?? '';
const forwardedFor = (req: Peer): string | undefined => req.headers['x-forwarded-for']?.toString();
const found = (req: Peer, trusts: Trusts) => originOf(peerOf(req), forwardedFor(req), trusts);

/** The peer, where it is a proxy of the site's own that says whom it asks for and may not; null where it is none. */
function untrustedProxy(req: Peer, trusts: Trusts): string | null {
  if (forwardedFor(req) === undefined) return null;
  const peer = readAddress(peerOf(req));
  return peer === null || trusts(peer.ip, 0) || !isPrivate(peer.ip) ? null : peer.key;
}
