// Firebase Cloud Messaging as far as a sender sees it: its HTTP v1 interface, over HTTP/2 and HTTP/1.1, and the server that gives
// access tokens.
import { randomBytes, randomUUID } from 'node:crypto';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from '../certificates.ts';
import { type Behaviour, type BehaviourOptions, Behaviours } from './behaviour.ts';
import { type Exchange, ofRequest, ofStream } from './exchange.ts';
import { type Known, makeServiceAccount, type ServiceAccountFile } from './fake-credentials.ts';
import { createLines, type GoAway } from './lines.ts';
import { createReceived, type Received } from './received.ts';
import { readSigned } from './signed.ts';

export interface FakeFcm {
  readonly url: string;
  readonly received: Received;
  /** Requests for an access token. */
  readonly mints: () => number;
  /** Requests to send, also those that are in no list because they were not allowed. */
  readonly asked: () => number;
  /** Connections that there are. */
  readonly connections: () => number;
  /** The last message of a token, as it was sent. */
  messageTo(token: string): FcmMessage | undefined;
  change(options: BehaviourOptions): void;
  /** Credentials that it takes. */
  account(projectId?: string): ServiceAccountFile;
  /** From now on it takes none of the access tokens that it gave. */
  forgetTokens(): void;
  /** It takes none of the next access tokens that it gives, so many. */
  spoilTokens(count: number): void;
  /** Closes the HTTP/2 sessions that there are, as the fake of Apple's does. */
  goAway(how?: GoAway): void;
  close(): Promise<void>;
}

/** The parts of a message that the fake and its tests look at. */
export interface FcmMessage {
  token: string;
  notification?: { title?: string; body?: string; image?: string };
  data?: Record<string, string>;
  android?: { priority?: string; ttl?: string; collapse_key?: string; notification?: Record<string, unknown> };
  apns?: { headers?: Record<string, string>; payload?: unknown; fcm_options?: unknown };
}

export interface StartFcmOptions extends BehaviourOptions {
  port?: number;
  /** 0: never. */
  goAwayEveryMs?: number;
  /** 100 unless it is given, as Google's. */
  maxConcurrentStreams?: number;
}

const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
/** Status, Google's canonical code, and FCM's. */
const errors: Partial<Record<Behaviour, [number, string, string | null]>> = {
  gone: [404, 'NOT_FOUND', 'UNREGISTERED'],
  'bad-token': [400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'],
  'too-large': [400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT'],
  stray: [403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH'],
  'no-apple': [401, 'UNAUTHENTICATED', 'THIRD_PARTY_AUTH_ERROR'],
  quota: [429, 'RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED'],
  unavailable: [503, 'UNAVAILABLE', 'UNAVAILABLE'],
  internal: [500, 'INTERNAL', 'INTERNAL'],
  refused: [403, 'PERMISSION_DENIED', null],
};
const AUDIENCE = 'https://oauth2.googleapis.com/token';

export async function startFakeFcm(certificate: Certificate, options: StartFcmOptions = {}): Promise<FakeFcm> {
  const accounts = new Map<string, Known<ServiceAccountFile>>();
  const bearers = new Map<string, string>();
  const behaviours = new Behaviours('fcm', options);
  const received = createReceived();
  const last = new Map<string, FcmMessage>();
  const sockets = new Set<Socket>();
  let mints = 0;
  let asked = 0;
  let spoilt = 0;

  const server = createSecureServer({
    ...certificate,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: options.maxConcurrentStreams ?? 100 },
  });
  const lines = createLines(server);
  server.on('request', (request, response) => void serve(ofRequest(request, response)).catch(() => request.destroy()));
  // Node would make requests of streams, too, which costs a server of many more than it answers them with.
  server.removeAllListeners('stream');
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const line = lines.take(stream);
    if (line) serve(ofStream(stream, headers, line)).catch(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function serve(exchange: Exchange): Promise<void> {
    const { method, path } = exchange;
    const body = await exchange.body();
    if (method === 'POST' && path === '/token') return mint(body, exchange);
    const project = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(path)?.[1];
    if (method !== 'POST' || !project) return exchange.answer(404, { error: { code: 404, status: 'NOT_FOUND' } });
    asked++;
    const bearer = exchange.authorization.replace(/^Bearer /, '');
    const owner = bearers.get(bearer);
    if (!owner) return fail(exchange, 401, 'UNAUTHENTICATED', null, errorInfo('ACCESS_TOKEN_EXPIRED'));
    if (owner !== project) return fail(exchange, 403, 'PERMISSION_DENIED', null, errorInfo('IAM_PERMISSION_DENIED'));
    return send(JSON.parse(body), project, exchange);
  }

  async function mint(body: string, exchange: Exchange): Promise<void> {
    mints++;
    const assertion = new URLSearchParams(body).get('assertion') ?? '';
    const claims = readSigned(assertion, 'RS256', (_, { iss = '' }) => accounts.get(iss)?.publicKey);
    const now = Date.now() / 1000;
    const good = claims?.aud === AUDIENCE && claims.scope?.includes('firebase.messaging') && (claims.exp ?? 0) > now;
    if (!claims || !good)
      return exchange.answer(400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    if (spoilt > 0) spoilt--;
    else bearers.set(token, accounts.get(claims.iss!)!.file.project_id);
    exchange.answer(200, { access_token: token, expires_in: 3_599, token_type: 'Bearer' });
  }

  async function send(
    { message, validate_only }: { message: FcmMessage; validate_only?: boolean },
    project: string,
    exchange: Exchange,
  ): Promise<void> {
    const { token, data = {}, notification } = message;
    // So does Google's: nothing this short is a token. Of which field it speaks it does not say.
    if (token.length < 20) return fail(exchange, 400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT');
    if (
      Object.values(data).some((value) => typeof value !== 'string') ||
      (message.android?.ttl && !/^\d+(\.\d+)?s$/.test(message.android.ttl))
    ) {
      return fail(exchange, 400, 'INVALID_ARGUMENT', null, badRequest('message'));
    }
    if (validate_only) return exchange.answer(200, { name: `projects/${project}/messages/fake_message_id` });
    const tooLarge = Buffer.byteLength(JSON.stringify({ data, notification })) > 4_096;
    const what = tooLarge ? 'too-large' : behaviours.of(token);
    last.set(token, message);
    const { retryAfterSeconds } = behaviours.options;
    await behaviours.latency();
    // Refused unseen, or nobody waits for it.
    if (exchange.gone()) return;
    received.add({
      token,
      what,
      id: null,
      notificationId: data.notificationId ?? null,
      collapse: message.android?.collapse_key ?? null,
    });
    switch (what) {
      case 'hang':
        return;
      case 'reset':
        return exchange.reset();
      case 'broken':
        return exchange.breakAfter(200, '{"name":');
      case 'bad-gateway':
        return exchange.answer(502, '<html>Bad Gateway</html>');
      default: {
        const error = errors[what];
        if (!error) return exchange.answer(200, { name: `projects/${project}/messages/0:${randomUUID()}` });
        if (error[0] >= 429 && retryAfterSeconds !== undefined) exchange.retryAfter = retryAfterSeconds;
        fail(exchange, ...error, ...(what === 'refused' ? [errorInfo('SERVICE_DISABLED')] : []));
      }
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const every = options.goAwayEveryMs ?? 0;
  const timer = every > 0 ? setInterval(() => lines.goAway(), every) : undefined;
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mints: () => mints,
    asked: () => asked,
    connections: () => sockets.size,
    messageTo: (token) => last.get(token),
    change: (options) => behaviours.change(options),
    account(projectId) {
      const account = makeServiceAccount(projectId);
      accounts.set(account.file.client_email, account);
      return account.file;
    },
    forgetTokens: () => bearers.clear(),
    spoilTokens(count) {
      spoilt = count;
    },
    goAway: lines.goAway,
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** As in "FCM error codes": what is wrong with a request names its field, and what FCM has against a token does not. */
function fail(exchange: Exchange, code: number, status: string, fcm: string | null, ...more: readonly object[]): void {
  const details = [...(fcm === null ? [] : [{ '@type': FCM_ERROR, errorCode: fcm }]), ...more];
  exchange.answer(code, { error: { code, status, message: 'as the fake was told', details } });
}

const badRequest = (field: string) => ({ '@type': BAD_REQUEST, fieldViolations: [{ field }] });
const errorInfo = (reason: string) => ({ '@type': ERROR_INFO, reason, domain: 'googleapis.com' });
