// Gets a file from a host of an app, as the phones' vendors do: no redirect is followed, and the answer is bounded.

import { lookup } from 'node:dns/promises';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublic } from '@landfall/http';

export interface GotFile {
  status: number;
  type: string;
  text: string;
}

/**
 * Rejects with an error whose `code` says why there is no answer. `publicOnly` is for a host whose DNS belongs to other
 * people: it may lead to no address inside of the operator's network. The address is checked where the connection is
 * made, so that a second answer of DNS changes nothing. An address is not resolved, so it is checked before.
 */
export type GetFile = (url: string, options: { publicOnly: boolean }) => Promise<GotFile>;

/** Apple's CDN waits about as long. */
const WITHIN_MS = 5_000;
/** The limit of Apple. */
export const MOST_BYTES = 128 * 1_024;

export const getFile: GetFile = (url, { publicOnly }) =>
  new Promise((resolve, reject) => {
    // The parser turns every form of an address into the usual one, e.g. 0x7f.1 into 127.0.0.1.
    const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
    if (publicOnly && isIP(host) !== 0 && !isPublic(host)) return reject(withCode('PRIVATE_ADDRESS'));
    const get = url.startsWith('https:') ? getHttps : getHttp;
    const signal = AbortSignal.timeout(WITHIN_MS);
    const headers = { accept: 'application/json', 'user-agent': 'Landfall (association check)' };
    const options = { agent: false, signal, headers, ...(publicOnly && { lookup: publicLookup }) };
    const fail = (error: Error) => reject(signal.aborted ? withCode('TIMEOUT') : error);
    get(url, options, (res) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      res.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BYTES) res.destroy(withCode('TOO_LARGE'));
        else chunks.push(chunk);
      });
      res.once('error', fail);
      res.once('end', () => {
        const { statusCode: status = 0, headers } = res;
        resolve({ status, type: headers['content-type'] ?? '', text: Buffer.concat(chunks).toString('utf8') });
      });
    }).once('error', fail);
  });

const publicLookup: LookupFunction = (host, options, callback) => {
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

const withCode = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });
