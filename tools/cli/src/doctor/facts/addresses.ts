import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPrivate } from '@landfall/http/addresses';

export const isAddress = (text: string): boolean => isIP(text) !== 0;
/** `isPrivate` alone would also take a bare number for an address. */
export const isInside = (ip: string): boolean => isAddress(ip) && isPrivate(ip);
export const isLoopback = (ip: string): boolean => ip === '::1' || /^127\./.test(ip);
/** Browsers and doctor ask no name server for these. */
export const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');
/** Returns true for a host that only this machine or its network finds, by its name alone. */
export const isOnlyHere = (host: string): boolean => isLocalName(host) || isInside(host);

export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);

/** Returns the host name of a URL as sockets and name servers take it: IPv6 without brackets. */
export const bareHost = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
