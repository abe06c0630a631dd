// Keeps requests to addresses that other people choose out of the operator's network.
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublic } from '@landfall/http';

/**
 * True for a URL whose host is an address that is not on the public internet. Nothing resolves such a host, so
 * {@link publicLookup} does not see it.
 */
export function namesPrivateAddress(url: string): boolean {
  // The parser turns every form of an address into the usual one, e.g. 0x7f.1 into 127.0.0.1.
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) !== 0 && !isPublic(host);
}

/**
 * Resolves a host where its connection is made, so that a second answer of DNS changes nothing. Fails with the code
 * PRIVATE_ADDRESS when one of its addresses is not on the public internet.
 */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }).then(
    (addresses) => {
      const inside = addresses.find(({ address }) => !isPublic(address));
      if (inside) return callback(withCode('PRIVATE_ADDRESS'), '');
      if (options.all) return callback(null, addresses);
      const [{ address, family } = { address: '', family: 4 }] = addresses;
      callback(null, address, family);
    },
    (error) => callback(error, ''),
  );
};

export const withCode = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });
