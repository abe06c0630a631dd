// Finds the client's address of a request. Rate limits count it and matching hashes it.
import { isPrivate, readAddress } from './address.ts';
import { originOf, type Trusts } from './forwarded-for.ts';
import type { UntrustedProxies } from './untrusted-proxies.ts';

export interface ClientAddress {
  /** The address that rate limits count. */
  key: string;
  /** The /48 of an IPv6 address, which rate limits also count. Null for IPv4. */
  site: string | null;
  /**
   * False when the address is unknown, or when many people share it who are not neighbours. Then nothing is matched by
   * it.
   */
  matchable: boolean;
}

/** The steps that led to the address of a request. */
export interface AddressFound {
  /** The other end of the connection. */
  peer: string;
  /** True when its X-Forwarded-For is trusted. */
  trusted: boolean;
  /** X-Forwarded-For as received, cut at 1,000 characters. */
  forwardedFor: string | null;
  /** The bare address. When a proxy wrote no address, the text that it wrote, cut at 100 characters. */
  address: string;
  matchable: boolean;
}

/** The part of a request that this file needs. */
interface Peer {
  socket: { remoteAddress?: string | undefined };
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Returns the client's address. When it is not valid, rate limits count the last valid hop.
 * @param proxies is told about untrusted proxies; leave it out when the header is made up for a test
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
    trusted: trustsPeer(req, trusts),
    forwardedFor: forwardedFor(req)?.slice(0, MAX_FORWARDED) ?? null,
    address: (address?.ip ?? said).slice(0, MAX_SAID),
    matchable: clientAddress(req, trusts).matchable,
  };
}

/** Checks whether the other end of the connection is a proxy of ours, so that its headers are no stranger's. */
export const trustsPeer = (req: Peer, trusts: Trusts): boolean => trusts(readAddress(peerOf(req))?.ip, 0);

const MAX_FORWARDED = 1_000;
const MAX_SAID = 100;

const peerOf = (req: Peer): string => req.socket.remoteAddress ?? '';
const forwardedFor = (req: Peer): string | undefined => req.headers['x-forwarded-for']?.toString();
const found = (req: Peer, trusts: Trusts) => originOf(peerOf(req), forwardedFor(req), trusts);

/** Returns the peer when it is a private proxy that sends X-Forwarded-For and is not trusted. Else null. */
function untrustedProxy(req: Peer, trusts: Trusts): string | null {
  if (forwardedFor(req) === undefined) return null;
  const peer = readAddress(peerOf(req));
  return peer === null || trusts(peer.ip, 0) || !isPrivate(peer.ip) ? null : peer.key;
}
