// Recognises addresses that are not reachable from outside.
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const inside = new BlockList();
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  inside.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  inside.addSubnet(net, prefix, 'ipv6');

/** Returns an address without the quotes, brackets and port that a proxy may write. */
export const withoutPort = (text: string): string =>
  text.replace(/^"(.*)"$/, '$1').replace(/^\[([^\]]*)\](?::\d*)?$|^([\d.]+):\d*$/, '$1$2');
export const isAddress = (text: string): boolean => isIP(text) !== 0;
export const isInside = (ip: string): boolean => isAddress(ip) && inside.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
export const isLoopback = (ip: string): boolean => ip === '::1' || /^127\./.test(ip);
/** Returns true for localhost and the names below it. Browsers and doctor do not ask a name server for them. */
export const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Returns the addresses of this machine. */
export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);

/** Returns the host name of a URL as sockets and name servers take it: IPv6 without brackets. */
export const bareHost = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
