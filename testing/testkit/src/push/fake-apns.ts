// Apple's push service as far as a sender sees it: HTTP/2 over TLS, with signed requests.
import { randomUUID } from 'node:crypto';
import { constants, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../certificates.ts';
import { type Behaviour, type BehaviourOptions, Behaviours } from './behaviour.ts';
import { type AppleKeyFile, type Known, makeAppleKey } from './fake-credentials.ts';
import { createLines, type GoAway, type Line, looksAt } from './lines.ts';
import { createReceived, type Received } from './received.ts';
import { readSigned } from './signed.ts';

export interface FakeApns {
  readonly url: string;
  readonly received: Received;
  readonly asked: () => number;
  /** Connections that there were. */
  readonly connections: () => number;
  /** The last request of a token. */
  messageTo(token: string): ApnsMessage | undefined;
  change(options: ApnsOptions): void;
  /** Credentials that it takes. */
  key(bundleId?: string): AppleKeyFile;
  /** From now on it takes none of the keys that it gave. */
  forgetKeys(): void;
  /** Closes the connections that there are: see {@link GoAway}. */
  goAway(how?: GoAway): void;
  close(): Promise<void>;
}

export interface ApnsMessage {
  headers: IncomingHttpHeaders;
  payload: unknown;
}

export interface ApnsOptions extends BehaviourOptions {
  /** Since when dead tokens are dead, in milliseconds since 1970. */
  goneSince?: number;
  /** By how much its clock is ahead of this machine's, in milliseconds. */
  aheadMs?: number;
}

export interface StartApnsOptions extends ApnsOptions {
  port?: number;
  /** 0: never. */
  goAwayEveryMs?: number;
  /** 1000 unless it is given, as Apple's. */
  maxConcurrentStreams?: number;
}

const reasons: Partial<Record<Behaviour, [number, string]>> = {
  gone: [410, 'Unregistered'],
  'bad-token': [400, 'BadDeviceToken'],
  stray: [400, 'DeviceTokenNotForTopic'],
  'no-apple': [400, 'TopicDisallowed'],
  quota: [429, 'TooManyRequests'],
  unavailable: [503, 'ServiceUnavailable'],
  internal: [500, 'InternalServerError'],
  'too-large': [413, 'PayloadTooLarge'],
  'expired-signature': [403, 'ExpiredProviderToken'],
  refused: [403, 'InvalidProviderToken'],
};

export async function startFakeApns(certificate: Certificate, options: StartApnsOptions = {}): Promise<FakeApns> {
  const keys = new Map<string, Known<AppleKeyFile>>();
  const signatures = new Map<string, { bundleId: string; iat: number }>();
  const behaviours = new Behaviours('apns', options);
  const received = createReceived();
  const last = new Map<string, ApnsMessage>();
  let asked = 0;

  const server = createSecureServer({
    ...certificate,
    settings: { maxConcurrentStreams: options.maxConcurrentStreams ?? 1_000 },
  });
  const lines = createLines(server);
  server.on('stream', (stream, headers) => {
    const line = lines.take(stream);
    if (!line) return;
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('end', () => void serve(stream, headers, Buffer.concat(chunks), line));
  });

  async function serve(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    body: Buffer,
    line: Line,
  ): Promise<void> {
    asked++;
    const id = (headers['apns-id'] as string | undefined) ?? randomUUID();
    const token = /^\/3\/device\/([0-9a-f]+)$/i.exec(headers[':path'] ?? '')?.[1] ?? '';
    const wrong = wrongWith(headers, token, body);
    const what = wrong ? null : body.length > 4_096 ? 'too-large' : behaviours.of(token);
    const { retryAfterSeconds, goneSince } = behaviours.options as ApnsOptions;
    await behaviours.latency();
    if (!looksAt(line, stream)) return;
    if (what === null) return answer(stream, id, ...wrong!, { now: clock() });
    const payload = JSON.parse(body.toString()) as { notificationId?: string };
    last.set(token, { headers, payload });
    received.add({
      token,
      what,
      id,
      notificationId: payload.notificationId ?? null,
      collapse: (headers['apns-collapse-id'] as string | undefined) ?? null,
    });
    if (what === 'hang') return;
    if (what === 'reset' || what === 'broken') return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    if (what === 'bad-gateway') return answer(stream, id, 502, null);
    const reason = reasons[what];
    if (!reason) return answer(stream, id, 200, null);
    answer(stream, id, ...reason, {
      ...(reason[0] === 410 ? { timestamp: goneSince ?? Date.now() } : {}),
      ...(reason[0] >= 429 && retryAfterSeconds !== undefined ? { retryAfterSeconds } : {}),
    });
  }

  const clock = () => Date.now() + ((behaviours.options as ApnsOptions).aheadMs ?? 0);

  /** Status and reason, when it is not to be sent at all. */
  function wrongWith(headers: IncomingHttpHeaders, token: string, body: Buffer): [number, string] | null {
    const bearer = String(headers.authorization ?? '');
    if (!bearer) return [403, 'MissingProviderToken'];
    const signed = signatures.get(bearer) ?? check(bearer);
    if (!signed) return [403, 'InvalidProviderToken'];
    const age = clock() / 1000 - signed.iat;
    if (age > 3_600) return [403, 'ExpiredProviderToken'];
    if (age < -300) return [403, 'InvalidProviderToken'];
    if (!/^[0-9a-f]{64,200}$/i.test(token) || /^0+$/.test(token)) return [400, 'BadDeviceToken'];
    const topic = headers['apns-topic'];
    if (!topic) return [400, 'MissingTopic'];
    if (topic !== signed.bundleId) return [400, 'TopicDisallowed'];
    const collapse = String(headers['apns-collapse-id'] ?? '');
    if (Buffer.byteLength(collapse) > 64) return [400, 'BadCollapseId'];
    if (headers['apns-id'] && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(headers['apns-id'])))
      return [400, 'BadMessageId'];
    if (!['alert', 'background'].includes(String(headers['apns-push-type']))) return [400, 'InvalidPushType'];
    if (!['5', '10'].includes(String(headers['apns-priority']))) return [400, 'BadPriority'];
    if (!/^\d+$/.test(String(headers['apns-expiration'] ?? '0'))) return [400, 'BadExpirationDate'];
    return body.length === 0 ? [400, 'PayloadEmpty'] : null;
  }

  /** Signatures are checked once: one is good for an hour, and comes with every push. */
  function check(bearer: string): { bundleId: string; iat: number } | null {
    let known: Known<AppleKeyFile> | undefined;
    const claims = readSigned(bearer.replace(/^bearer /i, ''), 'ES256', ({ kid = '' }, { iss }) => {
      known = keys.get(kid);
      return known?.file.teamId === iss ? known?.publicKey : undefined;
    });
    if (!claims?.iat || !known) return null;
    const signed = { bundleId: known.file.bundleId, iat: claims.iat };
    signatures.set(bearer, signed);
    return signed;
  }

  const every = options.goAwayEveryMs ?? 0;
  const timer = every > 0 ? setInterval(() => lines.goAway(), every) : undefined;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    asked: () => asked,
    connections: lines.count,
    messageTo: (token) => last.get(token),
    change: (options) => behaviours.change(options),
    key(bundleId) {
      const key = makeAppleKey(bundleId);
      keys.set(key.file.keyId, key);
      return key.file;
    },
    forgetKeys() {
      keys.clear();
      signatures.clear();
    },
    goAway: lines.goAway,
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        server.close(() => resolve());
        lines.destroy();
      }),
  };
}

function answer(
  stream: ServerHttp2Stream,
  id: string,
  status: number,
  reason: string | null,
  more: { timestamp?: number; retryAfterSeconds?: number; now?: number } = {},
): void {
  if (stream.destroyed) return;
  const { timestamp, retryAfterSeconds, now } = more;
  stream.respond({
    ':status': status,
    'apns-id': id,
    ...(now === undefined ? {} : { date: new Date(now).toUTCString() }),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
  stream.end(reason === null ? '' : JSON.stringify({ reason, ...(timestamp === undefined ? {} : { timestamp }) }));
}
