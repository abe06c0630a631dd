// Finds the client's address of a request. Rate limits count it and matching hashes it.
import { isPrivate, readAddress } from './address.ts';
import { originOf, type Trusts } from './forwarded-for.ts';

export interface ClientAddress {
  /** The address that rate limits count. */
  key: string;
  /** The /48 of an IPv6 address, which rate limits also count. Null for IPv4. */
  site: string | null;
  /** False when it is unknown, or shared by strangers. Then nothing is matched by it. */
  matchable: boolean;
}

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

/** The part of a request that says where it comes from. */
export interface Peer {
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

/** Warns the operator once for each peer that is an untrusted proxy. */
export type UntrustedProxies = ReturnType<typeof untrustedProxies>;

const MAX_PEERS = 100;

export function untrustedProxies(warn: (peer: string) => void) {
  const peers = new Set<string>();
  let requests = 0;
  return {
    seen(peer: string): void {
      requests++;
      if (peers.has(peer) || peers.size >= MAX_PEERS) return;
      peers.add(peer);
      warn(peer);
    },
    /** The peers that were seen, at most 100. */
    peers: (): string[] => [...peers],
    /** Returns a sentence for /readyz. Undefined when there is nothing to report. */
    detail(): string | undefined {
      if (peers.size === 0) return undefined;
      const [first] = peers;
      return `${first} sends X-Forwarded-For and is not trusted, so its requests are not matched by address: set TRUST_PROXY.`;
    },
    /** The number of their requests. */
    count: (): number => requests,
  };
}

/** A /48 has as many /64 as a gateway has connections, and more. Rate limits give it ten times as much, too. */
const SITE_TIMES = 10;

/** Trusted proxies are not counted: their connections carry the requests of many clients. */
export function countedPeers(trusts: Trusts, max: number) {
  return (peer: string): readonly { name: string; max: number }[] => {
    const address = readAddress(peer);
    if (trusts(address?.ip, 0)) return [];
    const counted = [{ name: address?.key ?? peer, max }];
    if (address?.site != null) counted.push({ name: address.site, max: max * SITE_TIMES });
    return counted;
  };
}
