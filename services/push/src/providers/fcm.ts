// Firebase Cloud Messaging. firebase-admin makes the requests. They go out over HTTP/2 sessions that are kept open.
import type { ConnectionOptions } from 'node:tls';
import type { FcmCredentials } from '@landfall/runtime';
import type { TokenMessage } from 'firebase-admin/messaging';
import { createDoubts } from '../domain/doubts.ts';
import { type FcmAnswer, fcmVerdict, noAnswer, type ProviderVerdict, readRetryAfter } from '../domain/outcomes.ts';
import { renderFcm } from '../domain/render/render-fcm.ts';
import { fits } from '../domain/render/size.ts';
import { accessTokens, NoAccessToken } from './access-token.ts';
import type { Reply } from './fcm-line.ts';
import { createFcmRequests, type FcmRequest } from './fcm-request.ts';
import { createFcmSessions } from './fcm-sessions.ts';
import type { PushProvider } from './provider.ts';
import { createUnderWay } from './under-way.ts';

/** The number of pushes that one app may have in flight. Sessions for them are opened as they are needed. */
const AT_ONCE = 700;

export interface FcmOptions {
  /** The server and its trusted certificates. Empty: Google's. */
  readonly connect: ConnectionOptions & { readonly ca?: string };
  /** Milliseconds that FCM may take to answer. */
  readonly timeoutMs: number;
}

export function createFcmProvider(account: FcmCredentials, { connect, timeoutMs }: FcmOptions): PushProvider {
  const credential = accessTokens(account, connect, timeoutMs);
  const requests = createFcmRequests(account.projectId, credential);
  const sessions = createFcmSessions({ connect, timeoutMs });
  const underWay = createUnderWay();
  const doubts = createDoubts();
  let closed: Promise<void> | undefined;

  /**
   * Sends a message. If FCM refuses the access token, the token may only be old: sends the message once more, with
   * another token. Rejects only after a fault of ours. The caller then stores an unknown outcome.
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
    const asked = readReply(await sessions.post(path, accessToken, body));
    if (asked.refused) credential.refuse(accessToken);
    return asked;
  }

  return {
    atOnce: AT_ONCE,
    async send(push) {
      if (closed) return { kind: 'retry', reason: 'closing', retryAfterMs: null };
      if (!fits('fcm', push)) return { kind: 'fail', reason: 'payload-too-large' };
      const began = doubts.begin();
      const verdict = await underWay.run(() => ask(renderFcm(push, new Date()), false));
      return doubts.decide(verdict, began);
    },
    async check() {
      const verdict = await underWay.run(() => ask({ token: 'nobody', data: {} }, true));
      return judge(verdict);
    },
    close() {
      closed ??= (async () => {
        await underWay.drained();
        await Promise.all([sessions.close(), requests.close()]);
      })();
      return closed;
    },
  };
}

interface FcmResult {
  readonly verdict: ProviderVerdict;
  /** True when FCM did not accept the access token. */
  readonly refused: boolean;
}

function readReply(reply: Reply): FcmResult {
  if (reply.status === null) return { verdict: noAnswer(reply.unsent, reply.timedOut), refused: false };
  const { status, whole } = reply;
  const data = whole ? parse(reply.body) : null;
  // An answer that begins with 200 means that the push was taken, even if the rest of the answer was lost.
  if (status === 200)
    return { verdict: { kind: 'sent', providerId: data?.name ?? null, logged: false }, refused: false };
  if (!whole) return { verdict: noAnswer(false, false), refused: false };
  const details = detailsOf(data);
  const retryAfterMs = readRetryAfter(reply.retryAfter, Date.now());
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

/** Returns null when the body is not a JSON object. Such an answer comes from something in front of Google. */
function parse(body: string): Data | null {
  try {
    const data: unknown = JSON.parse(body);
    return typeof data === 'object' ? (data as Data | null) : null;
  } catch {
    return null;
  }
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

/**
 * Returns whether FCM accepted the credentials; null when the answer does not show it. A complaint about the token
 * means that FCM accepted the credentials.
 */
function judge(verdict: ProviderVerdict): Awaited<ReturnType<PushProvider['check']>> {
  if (verdict.kind === 'pause' || verdict.kind === 'expired') return { taken: false, reason: verdict.reason };
  if (verdict.kind === 'doubt') return { taken: verdict.reason === 'SENDER_ID_MISMATCH', reason: verdict.reason };
  if (verdict.kind === 'sent') return { taken: true, reason: 'sent' };
  const ofFcm =
    verdict.kind === 'drop' ||
    verdict.kind === 'suspect' ||
    (verdict.kind === 'fail' && !verdict.reason.startsWith('http-'));
  return ofFcm ? { taken: true, reason: verdict.reason } : null;
}
