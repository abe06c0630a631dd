// Makes one request as Apple and Google do: follows no redirect, and checks certificates.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { reasonOf } from '../finding.ts';
import { bareHost, isAddress, isLocalName } from './addresses.ts';
import type { Setup } from './setup.ts';

export interface Got {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  /** The number of bytes of the body that were read. Reading stops after {@link MAX_BYTES}. */
  bytes: number;
  /** Our clock when the request was sent, and when the answer was complete, in milliseconds since 1970. */
  sentAt: number;
  gotAt: number;
  /** The time when the certificate ends. Null without https. */
  validTo: Date | null;
}

export type Get = (url: string, headers?: Readonly<Record<string, string>>) => Promise<Got>;

const MAX_BYTES = 256 * 1024;
const WITHIN_MS = 2_000;

export function createGet(
  lookup: LookupFunction,
  { ca, patience, localhost }: Pick<Setup, 'ca' | 'patience' | 'localhost'>,
): Get {
  const withinMs = WITHIN_MS * patience;
  return (url, headers = {}) =>
    new Promise((resolve, reject) => {
      const sentAt = Date.now();
      const secure = url.startsWith('https:');
      const host = bareHost(url);
      const options = {
        lookup,
        agent: false,
        headers: { host: new URL(url).host, 'user-agent': 'landfall-doctor', accept: '*/*', ...headers },
        signal: AbortSignal.timeout(withinMs),
        ...(localhost !== undefined && isLocalName(host) && placeOf(localhost)),
        ...(secure && { ...(ca && { ca }), ...(!isAddress(host) && { servername: host }) }),
      };
      const req = (secure ? httpsRequest : httpRequest)(url, options, (res) => {
        const { statusCode: status = 0, headers } = res;
        const validTo = secure ? new Date((res.socket as TLSSocket).getPeerCertificate().valid_to) : null;
        read(res).then((read) => resolve({ status, headers, ...read, sentAt, gotAt: Date.now(), validTo }), reject);
      });
      req.once('error', (error) =>
        reject(error.name === 'AbortError' ? new Error(`no answer within ${withinMs / 1000} s`) : error),
      );
      req.end();
    });
}

function placeOf(hostAndPort: string): { hostname: string; port: string } {
  const { hostname, port } = new URL(`http://${hostAndPort}`);
  return { hostname, port: port || '80' };
}

async function read(res: IncomingMessage): Promise<{ body: string; bytes: number }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) break;
  }
  return { body: Buffer.concat(chunks).toString('utf8').slice(0, MAX_BYTES), bytes };
}

/** Undefined: the body is not JSON. */
export function jsonOf({ body }: Pick<Got, 'body'>): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

export const isLandfall = (got: Got): boolean =>
  got.status === 200 && (jsonOf(got) as { status?: unknown } | undefined)?.status === 'alive';

export interface Fault {
  says: string;
  remedy: string;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  CERT_HAS_EXPIRED: {
    says: 'its certificate has expired',
    remedy: 'Renew the certificate, and see why that did not happen by itself.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    says: 'its certificate is for other names',
    remedy: 'Give the proxy a certificate that holds this name: for links a wildcard, *.<LINK_DOMAIN>.',
  },
  ENOTFOUND: { says: 'its name does not resolve', remedy: 'Add a DNS record for it (see the line "names").' },
  ECONNREFUSED: {
    says: 'nothing listens there',
    remedy: 'Start the gateway or the proxy in front of it, and see that it listens on this port.',
  },
  EPROTO: { says: 'it does not speak TLS', remedy: 'See that https is served on this port.' },
};
const UNTRUSTED: Fault = {
  says: 'its certificate is signed by nobody whom this machine knows',
  remedy: 'Use a certificate of a public authority with its whole chain: phones, Apple and Google trust no other.',
};
const UNTRUSTED_CODES = /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/;

export function explain(error: unknown): Fault {
  const { code = '' } = error as { code?: string };
  if (UNTRUSTED_CODES.test(code)) return UNTRUSTED;
  return (
    FAULTS[code] ?? {
      says: reasonOf(error),
      remedy: 'See that the proxy and the gateway run, and that no firewall is in between.',
    }
  );
}
