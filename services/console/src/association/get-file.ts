// Gets a file from a host of an app, as the phones' vendors do: no redirect is followed, and the answer is bounded.
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { namesPrivateAddress, publicLookup, withCode } from '../common/public-only.ts';

export interface GotFile {
  status: number;
  type: string;
  text: string;
}

/**
 * Rejects with an error whose `code` says why there is no answer. `publicOnly` is for a host whose DNS belongs to other
 * people: it may lead to no address inside of the operator's network.
 */
export type GetFile = (url: string, options: { publicOnly: boolean }) => Promise<GotFile>;

/** Apple's CDN waits about as long. */
const WITHIN_MS = 5_000;
/** The limit of Apple. */
export const MOST_BYTES = 128 * 1_024;

export const getFile: GetFile = (url, { publicOnly }) =>
  new Promise((resolve, reject) => {
    if (publicOnly && namesPrivateAddress(url)) return reject(withCode('PRIVATE_ADDRESS'));
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
