// Whose request this is: the address that limits count and that matching hashes.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyaddr from 'proxy-addr';

/**
 * The only form of an address that is limited or hashed: an IPv4-mapped address becomes IPv4, an IPv6 address its /64
 * (one household), a zone is dropped. What is no address stays as it is.
 */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip;
  const plain = ip.split('%')[0]!;
  if (!ipaddr.isValid(plain)) return ip;
  const address = ipaddr.process(plain);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** Whether the address belongs to nobody outside: private, loopback, link-local, carrier NAT. */
export function isPrivate(ip: string): boolean {
  const plain = ip.split('%')[0]!;
  if (!ipaddr.isValid(plain)) return false;
  return ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'].includes(ipaddr.process(plain).range());
}

/**
 * Whether a peer, `hop` proxies away, may say whom it asks for. Every request asks several times about the same few
 * peers, and taking an address apart is slow: answers are remembered.
 */
export function trustedPeers(trust: number | string[]): (peer: string, hop: number) => boolean {
  if (typeof trust === 'number') return (_, hop) => hop < trust;
  const decide = proxyaddr.compile(trust);
  const known = new LRUCache<string, boolean>({ max: 10_000, memoMethod: (peer) => decide(peer, 0) });
  return (peer) => known.memo(peer);
}

export interface ClientAddress {
  /** What limits count. */
  key: string;
  /** False: many people share this address without being neighbours, so nothing may be matched by it. */
  matchable: boolean;
}

/** Tells an operator, once for each peer, that a proxy is not trusted. */
export interface UntrustedProxies {
  seen(peer: string): void;
  /** Those that were seen, 100 at the most. */
  peers(): string[];
  /** A sentence for /readyz; undefined when there is nothing to say. */
  detail(): string | undefined;
  /** How many requests. */
  count(): number;
}

const MAX_PEERS = 100;

export function untrustedProxies(warn: (peer: string) => void): UntrustedProxies {
  const peers = new Set<string>();
  let requests = 0;
  return {
    seen(peer) {
      requests++;
      if (peers.has(peer) || peers.size >= MAX_PEERS) return;
      peers.add(peer);
      warn(peer);
    },
    peers: () => [...peers],
    detail() {
      if (peers.size === 0) return undefined;
      const [first] = peers;
      return `${first} sends X-Forwarded-For and is not trusted, so its requests are not matched by address: set TRUST_PROXY.`;
    },
    count: () => requests,
  };
}

/** How a request's address was found out. */
export interface AddressFound {
  /** Who holds the other end of the connection. */
  peer: string;
  /** Whether it may say whom it asks for. */
  trusted: boolean;
  /** X-Forwarded-For as it came, cut at 1,000 characters. */
  forwardedFor: string | null;
  address: string;
  matchable: boolean;
}

/** The part of an express request that this file needs. */
interface Peer {
  ip?: string | undefined;
  socket: { remoteAddress?: string | undefined };
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * `req.ip` is what express makes of X-Forwarded-For under TRUST_PROXY.
 * @param proxies is told of an untrusted proxy; left out where the header is made up to see what becomes of it
 */
export function clientAddress(
  req: Peer,
  trusted: (peer: string) => boolean,
  proxies?: UntrustedProxies,
): ClientAddress {
  const peer = req.socket.remoteAddress ?? '';
  const key = addressKey(req.ip ?? peer);
  if (req.headers['x-forwarded-for'] === undefined || trusted(peer) || !isPrivate(peer))
    return { key, matchable: true };
  proxies?.seen(addressKey(peer));
  return { key, matchable: false };
}

const MAX_FORWARDED = 1_000;

export function addressFound(req: Peer, trusted: (peer: string) => boolean): AddressFound {
  const peer = req.socket.remoteAddress ?? '';
  return {
    peer: plainAddress(peer),
    trusted: trusted(peer),
    forwardedFor: req.headers['x-forwarded-for']?.toString().slice(0, MAX_FORWARDED) ?? null,
    address: plainAddress(req.ip ?? peer).slice(0, 100),
    matchable: clientAddress(req, trusted).matchable,
  };
}

/** As a person writes it: IPv4-mapped becomes IPv4. */
const plainAddress = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '');
