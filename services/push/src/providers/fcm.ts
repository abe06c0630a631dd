// Firebase Cloud Messaging. firebase-admin makes valid requests of messages. They go out over HTTP/2 sessions of ours.
import { randomUUID } from 'node:crypto';
import type { FcmCredentials } from '@landfall/runtime';
import { type Credential, deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging, type Messaging, type TokenMessage } from 'firebase-admin/messaging';
import { type FcmAnswer, fcmVerdict, noAnswer, type ProviderVerdict, readRetryAfter } from '../domain/outcomes.ts';
import { renderFcm } from '../domain/render/render-fcm.ts';
import { accessTokens, NoAccessToken } from './access-token.ts';
import type { Http2Options, Reply } from './http2-line.ts';
import { createHttp2Provider, parseJson } from './http2-provider.ts';
import { createHttp2Sessions } from './http2-sessions.ts';
import type { Checked, PushProvider } from './provider.ts';

/** The number of pushes that one app may have in flight. Sessions for them are opened as they are needed. */
const AT_ONCE = 700;
const sessionsOptions = { host: 'fcm.googleapis.com', mostLines: 10, idleMs: 30_000 };

export function createFcmProvider(account: FcmCredentials, options: Http2Options): PushProvider {
  const credential = accessTokens(account, options);
  const requests = createFcmRequests(account.projectId, credential);
  const sessions = createHttp2Sessions({ ...sessionsOptions, ...options });

  /**
   * If FCM refuses the access token, the token may only be old: sends the message once more, with another token.
   * @param dryRun true: FCM only validates the message
   */
  async function ask(message: TokenMessage, dryRun: boolean): Promise<ProviderVerdict> {
    try {
      const request = await requests.make(message, dryRun);
      const first = await askOnce(request);
      return first.refused ? (await askOnce(request)).verdict : first.verdict;
    } catch (error) {
      if (error instanceof NoAccessToken) return error.outcome;
      const { code } = error as { code?: string };
      // The error code of firebase-admin for a message that it does not send.
      if (code?.startsWith('messaging/invalid-')) return { kind: 'fail', reason: code };
      throw error;
    }
  }

  async function askOnce({ path, body }: FcmRequest): Promise<FcmResult> {
    const accessToken = await credential.get();
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const asked = readReply(await sessions.post({ path, headers, body }));
    if (asked.refused) credential.refuse(accessToken);
    return asked;
  }

  return createHttp2Provider({
    kind: 'fcm',
    atOnce: AT_ONCE,
    ask: (push) => ask(renderFcm(push, new Date()), false),
    check: async () => judge(await ask({ token: 'nobody', data: {} }, true)),
    close: async () => void (await Promise.all([sessions.close(), requests.close()])),
  });
}

interface FcmRequest {
  readonly path: string;
  /** JSON. */
  readonly body: string;
}

/** A private part of firebase-admin: `send` passes each request to it, and returns the `name` of its answer. */
interface HandsOver {
  messagingRequestHandler: {
    invokeRequestHandler(host: string, path: string, request: object): Promise<{ name: FcmRequest }>;
  };
}

/** Makes the requests that firebase-admin would send. `make` rejects with its error for a message that it would not. */
export function createFcmRequests(projectId: string, credential: Credential) {
  const app = initializeApp({ projectId, credential }, randomUUID());
  const messaging = getMessaging(app) as unknown as HandsOver & {
    send(...all: Parameters<Messaging['send']>): unknown;
  };
  if (!('messagingRequestHandler' in messaging))
    throw new Error('this version of firebase-admin hands its requests to something else');
  messaging.messagingRequestHandler = {
    invokeRequestHandler: async (_host, path, request) => ({ name: { path, body: JSON.stringify(request) } }),
  };
  return {
    make: async (message: TokenMessage, dryRun: boolean) => (await messaging.send(message, dryRun)) as FcmRequest,
    close: () => deleteApp(app),
  };
}

interface FcmResult {
  readonly verdict: ProviderVerdict;
  /** True when FCM did not accept the access token. */
  readonly refused: boolean;
}

function readReply(reply: Reply): FcmResult {
  if (reply.status === null) return { verdict: noAnswer(reply.unsent !== undefined, reply.timedOut), refused: false };
  const { status, whole } = reply;
  const data = whole ? parseJson<Data>(reply.body) : null;
  // An answer that begins with 200 means that the push was taken, even if the rest of the answer was lost.
  if (status === 200)
    return { verdict: { kind: 'sent', providerId: data?.name ?? null, logged: false }, refused: false };
  if (!whole) return { verdict: noAnswer(false, false), refused: false };
  const details = detailsOf(data);
  const retryAfterMs = readRetryAfter(reply.headers['retry-after'], Date.now());
  // A 401 with a code of FCM's own is not about the access token, but about Firebase's key for Apple.
  return {
    verdict: fcmVerdict({ status, retryAfterMs, ...details }),
    refused: status === 401 && details.code === null,
  };
}

/** The parts of FCM's answers that are read. */
interface Data {
  readonly name?: string;
  readonly error?: { readonly details?: unknown };
}

interface Detail {
  '@type'?: string;
  errorCode?: string;
  reason?: string;
  fieldViolations?: { field?: string }[];
}

function detailsOf(data: Data | null): Pick<FcmAnswer, 'code' | 'info' | 'wrongFields'> {
  const details = data?.error?.details;
  const all: Detail[] = Array.isArray(details) ? details : [];
  const isA = (type: string) => (detail: Detail) => detail?.['@type'] === `type.googleapis.com/${type}`;
  const code = all.find(isA('google.firebase.fcm.v1.FcmError'))?.errorCode;
  const info = all.find(isA('google.rpc.ErrorInfo'))?.reason;
  const violations = all.filter(isA('google.rpc.BadRequest')).flatMap((detail) => detail.fieldViolations ?? []);
  return { code: code ?? null, info: info ?? null, wrongFields: violations.map(({ field = '' }) => field) };
}

/** A complaint about the token shows that FCM accepts the credentials. Null: the answer does not show it. */
function judge(verdict: ProviderVerdict): Checked | null {
  if (verdict.kind === 'pause' || verdict.kind === 'expired') return { taken: false, reason: verdict.reason };
  if (verdict.kind === 'doubt') return { taken: verdict.reason === 'SENDER_ID_MISMATCH', reason: verdict.reason };
  if (verdict.kind === 'sent') return { taken: true, reason: 'sent' };
  const ofFcm =
    verdict.kind === 'drop' ||
    verdict.kind === 'suspect' ||
    (verdict.kind === 'fail' && !verdict.reason.startsWith('http-'));
  return ofFcm ? { taken: true, reason: verdict.reason } : null;
}
