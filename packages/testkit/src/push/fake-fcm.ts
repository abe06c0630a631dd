// Firebase Cloud Messaging as far as a sender sees it: HTTP v1 over TLS, and the server that gives access tokens.
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from '../certificates.ts';
import { type Behaviour, type BehaviourOptions, Behaviours } from './behaviour.ts';
import { type Known, makeServiceAccount, type ServiceAccountFile } from './fake-credentials.ts';
import { createReceived, type Received } from './received.ts';
import { readSigned } from './signed.ts';

export interface FakeFcm {
  readonly url: string;
  readonly received: Received;
  /** Requests for an access token. */
  readonly mints: () => number;
  /** Requests to send, also those that are in no list because they were not allowed. */
  readonly asked: () => number;
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

export async function startFakeFcm(
  certificate: Certificate,
  options: BehaviourOptions & { port?: number } = {},
): Promise<FakeFcm> {
  const accounts = new Map<string, Known<ServiceAccountFile>>();
  const bearers = new Map<string, string>();
  const behaviours = new Behaviours('fcm', options);
  const received = createReceived();
  const last = new Map<string, FcmMessage>();
  const sockets = new Set<Socket>();
  let mints = 0;
  let asked = 0;
  let spoilt = 0;

  const server = createServer({ ...certificate, keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch(() => request.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  /** The connection under the encrypted one: only that can be reset. */
  function reset(request: IncomingMessage): void {
    const { remotePort } = request.socket;
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.resetAndDestroy();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (request.method === 'POST' && request.url === '/token') return mint(body, response);
    const project = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(request.url ?? '')?.[1];
    if (request.method !== 'POST' || !project)
      return answer(response, 404, { error: { code: 404, status: 'NOT_FOUND' } });
    asked++;
    const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const owner = bearers.get(bearer);
    if (!owner) return fail(response, 401, 'UNAUTHENTICATED', null, errorInfo('ACCESS_TOKEN_EXPIRED'));
    if (owner !== project) return fail(response, 403, 'PERMISSION_DENIED', null, errorInfo('IAM_PERMISSION_DENIED'));
    return send(JSON.parse(body), project, response, request);
  }

  async function mint(body: string, response: ServerResponse): Promise<void> {
    mints++;
    const assertion = new URLSearchParams(body).get('assertion') ?? '';
    const claims = readSigned(assertion, 'RS256', (_, { iss = '' }) => accounts.get(iss)?.publicKey);
    const now = Date.now() / 1000;
    const good = claims?.aud === AUDIENCE && claims.scope?.includes('firebase.messaging') && (claims.exp ?? 0) > now;
    if (!claims || !good)
      return answer(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    if (spoilt > 0) spoilt--;
    else bearers.set(token, accounts.get(claims.iss!)!.file.project_id);
    answer(response, 200, { access_token: token, expires_in: 3_599, token_type: 'Bearer' });
  }

  async function send(
    { message, validate_only }: { message: FcmMessage; validate_only?: boolean },
    project: string,
    response: ServerResponse,
    request: IncomingMessage,
  ): Promise<void> {
    const { token, data = {}, notification } = message;
    // So does Google's: nothing this short is a token. Of which field it speaks it does not say.
    if (token.length < 20) return fail(response, 400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT');
    if (
      Object.values(data).some((value) => typeof value !== 'string') ||
      (message.android?.ttl && !/^\d+(\.\d+)?s$/.test(message.android.ttl))
    ) {
      return fail(response, 400, 'INVALID_ARGUMENT', null, badRequest('message'));
    }
    if (validate_only) return answer(response, 200, { name: `projects/${project}/messages/fake_message_id` });
    const tooLarge = Buffer.byteLength(JSON.stringify({ data, notification })) > 4_096;
    const what = tooLarge ? 'too-large' : behaviours.of(token);
    last.set(token, message);
    const { latencyMs = 0, retryAfterSeconds } = behaviours.options;
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
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
        return reset(request);
      case 'broken':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
        return void response.write('{"name":', () => reset(request));
      case 'bad-gateway':
        response.writeHead(502, { 'content-type': 'text/html' });
        return void response.end('<html>Bad Gateway</html>');
      default: {
        const error = errors[what];
        if (!error) return answer(response, 200, { name: `projects/${project}/messages/0:${randomUUID()}` });
        if (error[0] >= 429 && retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
        fail(response, ...error, ...(what === 'refused' ? [errorInfo('SERVICE_DISABLED')] : []));
      }
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
  response.end(JSON.stringify(body));
}

/** As in "FCM error codes": what is wrong with a request names its field, and what FCM has against a token does not. */
function fail(
  response: ServerResponse,
  code: number,
  status: string,
  fcm: string | null,
  ...more: readonly object[]
): void {
  const details = [...(fcm === null ? [] : [{ '@type': FCM_ERROR, errorCode: fcm }]), ...more];
  answer(response, code, { error: { code, status, message: 'as the fake was told', details } });
}

const badRequest = (field: string) => ({ '@type': BAD_REQUEST, fieldViolations: [{ field }] });
const errorInfo = (reason: string) => ({ '@type': ERROR_INFO, reason, domain: 'googleapis.com' });
