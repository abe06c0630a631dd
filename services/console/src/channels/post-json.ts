// Sends JSON to an address that somebody chose: to no address inside of the operator's network unless the operator allows
// it, without following a redirect, and within a bounded time.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { namesPrivateAddress, publicLookup, withCode } from '../common/public-only.ts';

export interface PostOptions {
  headers?: Record<string, string>;
  publicOnly: boolean;
  withinMs?: number;
}

export interface Posted {
  status: number;
  /** Seconds after which the receiver wants to be asked again. Null: it does not say. */
  retryAfter: number | null;
}

const WITHIN_MS = 10_000;

/** Rejects with an error whose `code` says why there is no answer. The text of the answer is not read. */
export const postJson = (
  url: string,
  body: string,
  { headers = {}, publicOnly, withinMs = WITHIN_MS }: PostOptions,
): Promise<Posted> =>
  new Promise((resolve, reject) => {
    if (publicOnly && namesPrivateAddress(url)) return reject(withCode('PRIVATE_ADDRESS'));
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const signal = AbortSignal.timeout(withinMs);
    const options = {
      method: 'POST',
      // A connection of its own: a pooled one was checked for another message.
      agent: false,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Landfall (reports and alerts)',
      },
      ...(publicOnly && { lookup: publicLookup }),
    };
    const sending = request(url, options, (res) => {
      const { statusCode: status = 0, headers } = res;
      const seconds = Number(headers['retry-after']);
      resolve({ status, retryAfter: Number.isFinite(seconds) && seconds >= 0 ? seconds : null });
      res.destroy();
    });
    sending.once('error', (error) => reject(signal.aborted ? withCode('TIMEOUT') : error));
    sending.end(body);
  });
