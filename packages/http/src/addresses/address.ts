// Parses an address in any form that proxies write, and finds the two networks that it counts for.
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

export interface Address {
  /** Without brackets, port and zone. IPv4-mapped addresses are IPv4. Trust in proxies is checked with it. */
  ip: string;
  /** For rate limits and hashes: the IPv4 address, also one inside an IPv6 address, else the /64: a household. */
  key: string;
  /** The /48 of an IPv6 address, which is one site. Null for IPv4. */
  site: string | null;
}

/** A longer text is not an address: that has 45 characters, brackets, a port, and the name of an interface. */
const MAX_LENGTH = 100;

/** Parsing an IPv6 address takes microseconds, and every request has the same few proxies. */
const known = new LRUCache<string, { address: Address | null }>({
  max: 10_000,
  memoMethod: (text) => ({ address: read(text) }),
});

/**
 * Parses an address. It ignores quotes, brackets, a port, a zone and case. Null for texts that are no address, and for
 * addresses that no client can have: unspecified and multicast.
 */
export function readAddress(text: string): Address | null {
  if (isIPv4(text)) return ofIPv4(text);
  return text.length > MAX_LENGTH ? null : known.memo(text).address;
}

/** Checks whether the address is not on the public internet: private, loopback, link-local, carrier NAT. */
export function isPrivate(ip: string): boolean {
  const plain = ip.split('%')[0]!;
  if (!ipaddr.isValid(plain)) return false;
  return ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'].includes(ipaddr.process(plain).range());
}

/**
 * False for loopback, private and link-local addresses, for all others that the internet does not route, and for texts
 * that are no address. Also false for an IPv6 address with an IPv4 address inside, whatever that is: a translator of the
 * operator's network may lead it inside.
 */
export function isPublic(ip: string): boolean {
  const plain = ip.split('%')[0]!;
  if (!ipaddr.isValid(plain)) return false;
  const address = ipaddr.process(plain);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return true;
  return address.match(GLOBAL) && !EMBEDDINGS.some(({ range }) => address.match(range));
}

/** All of IPv6 that the internet routes. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

const BRACKETED = /^\[([^\]]*)\](?::\d{0,5})?$/;
const IPV4_WITH_PORT = /^([\d.]+):\d{0,5}$/;
const ZONE = /%[\w.~-]+$/;

function read(text: string): Address | null {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const ipv4 = IPV4_WITH_PORT.exec(bare)?.[1] ?? bare;
  if (isIPv4(ipv4)) return ofIPv4(ipv4);
  const ipv6 = (BRACKETED.exec(bare)?.[1] ?? bare).replace(ZONE, '');
  // Node takes any text for a zone, and the parser does not.
  return isIPv6(ipv6) && !ipv6.includes('%') ? ofIPv6(ipv6.toLowerCase()) : null;
}

function ofIPv4(ip: string): Address | null {
  const first = Number(ip.slice(0, ip.indexOf('.')));
  const isMulticast = first >= 224 && first < 240;
  return first === 0 || isMulticast || ip === '255.255.255.255' ? null : { ip, key: ip, site: null };
}

function ofIPv6(ip: string): Address | null {
  const address = ipaddr.IPv6.parse(ip);
  if (address.isIPv4MappedAddress()) return ofIPv4(address.toIPv4Address().toString());
  if (['unspecified', 'multicast'].includes(address.range())) return null;
  const inside = ipv4Inside(address);
  if (inside !== null) return { ip, key: inside, site: null };
  const parts = address.parts.slice(0, 4).map((part) => part.toString(16));
  return { ip, key: `${parts.join(':')}::/64`, site: `${parts.slice(0, 3).join(':')}::/48` };
}

/**
 * IPv6 networks whose addresses hold an IPv4 address. `at`: the 16-bit part where it begins. `mask`: each part is XORed
 * with it. `tunnel`: it leads over the internet, so a private IPv4 address in it is forged. A translator belongs to the
 * site itself.
 */
const EMBEDDINGS = [
  // NAT64 (RFC 6052), also under a local prefix of the site (RFC 8215) in its usual form, a /96.
  { range: '64:ff9b::/96', at: 6 },
  { range: '64:ff9b:1::/48', at: 6 },
  // SIIT (RFC 2765).
  { range: '::ffff:0:0:0/96', at: 6 },
  // 6to4 (RFC 3056).
  { range: '2002::/16', at: 1, tunnel: true },
  // Teredo (RFC 4380) inverts all bits of the client's address, to hide it from translators.
  { range: '2001::/32', at: 6, mask: 0xffff, tunnel: true },
].map(({ range, at, mask = 0, tunnel = false }) => ({ range: ipaddr.IPv6.parseCIDR(range), at, mask, tunnel }));

/**
 * Returns the IPv4 address of a client behind a translator or a tunnel. Null when there is none. Nobody can use the
 * address of somebody else: answers to the IPv6 address go to that IPv4 address, so no connection is made.
 */
function ipv4Inside(address: ipaddr.IPv6): string | null {
  const found = EMBEDDINGS.find(({ range }) => address.match(range));
  if (!found) return null;
  const { at, mask, tunnel } = found;
  const [high, low] = address.parts.slice(at, at + 2).map((part) => part ^ mask) as [number, number];
  const ip = [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return ofIPv4(ip) === null || (tunnel && isPrivate(ip)) ? null : ip;
}
