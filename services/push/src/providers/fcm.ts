// Firebase Cloud Messaging, by firebase-admin.
import { randomUUID } from 'node:crypto';
import type { AgentOptions } from 'node:https';
import type { FcmCredentials } from '@landfall/runtime';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging, type TokenMessage } from 'firebase-admin/messaging';
import { createDoubts } from '../domain/doubts.ts';
import { type FcmAnswer, fcmVerdict, noAnswer, readRetryAfter, type Verdict } from '../domain/outcomes.ts';
import { renderFcm } from '../domain/render-fcm.ts';
import { fits } from '../domain/size.ts';
import { accessTokens, NoAccessToken } from './access-token.ts';
import { type Attempt, FcmAgent } from './fcm-agent.ts';
import type { Provider } from './provider.ts';
import { createUnderWay } from './under-way.ts';

const AT_ONCE = 200;
/** A connection that has had nothing to do for so long is given back. */
const IDLE_MS = 30_000;

export interface FcmOptions {
  /** Where the server is, and whom to trust. Empty: Google's. */
  readonly connect: AgentOptions;
  /** How long an answer may take. */
  readonly timeoutMs: number;
}

export function createFcmProvider(account: FcmCredentials, { connect, timeoutMs }: FcmOptions): Provider {
  const agent = new FcmAgent({ ...connect, maxSockets: AT_ONCE, timeout: IDLE_MS });
  const credential = accessTokens(account, connect, timeoutMs);
  const app = initializeApp({ projectId: account.projectId, credential, httpAgent: agent }, randomUUID());
  const messaging = getMessaging(app);
  const underWay = createUnderWay();
  const doubts = createDoubts();
  let closed: Promise<void> | undefined;

  /** A token that FCM refuses may only be an old one: the push goes out once more, with another. */
  async function ask(message: TokenMessage, dryRun: boolean): Promise<Verdict> {
    const first = await askOnce(message, dryRun);
    if (first.refused === null) return first.verdict;
    credential.refuse(first.refused);
    const second = await askOnce(message, dryRun);
    if (second.refused !== null) credential.refuse(second.refused);
    return second.verdict;
  }

  /** Never rejects, and ends by the clock, whatever becomes of the connection. */
  function askOnce(message: TokenMessage, dryRun: boolean): Promise<Asked> {
    return new Promise((resolve) => {
      let timer = setTimeout(timedOut, timeoutMs);
      const attempt: Attempt = {
        request: null,
        socket: null,
        accessToken: null,
        answered: null,
        status: null,
        retryAfter: undefined,
        over: false,
        // Until then an access token was fetched.
        onBegun() {
          clearTimeout(timer);
          timer = setTimeout(timedOut, timeoutMs);
        },
      };
      function timedOut(): void {
        end(taken(attempt) ?? noAnswer(!agent.mayHave(attempt), true));
        attempt.request?.destroy();
      }
      function end(verdict: Verdict, refused: string | null = null): void {
        clearTimeout(timer);
        attempt.over = true;
        resolve({ verdict, refused });
      }
      agent
        .attempt(attempt, () => messaging.send(message, dryRun))
        .then(
          (name) => end({ kind: 'sent', providerId: name, logged: false }),
          (error: unknown) => {
            const verdict = verdictOf(error, attempt) ?? taken(attempt) ?? noAnswer(!agent.mayHave(attempt), false);
            end(verdict, refusesToken(error) ? attempt.accessToken : null);
          },
        );
    });
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
        await deleteApp(app);
        agent.destroy();
      })();
      return closed;
    },
  };
}

interface Asked {
  readonly verdict: Verdict;
  /** The access token, if that is what FCM did not take. */
  readonly refused: string | null;
}

/** Its answer began with 200, and the rest of it got lost: FCM has the push. */
const taken = ({ answered }: Attempt): Verdict | null =>
  answered === 200 ? { kind: 'sent', providerId: null, logged: false } : null;

/** With a word of FCM's own, a 401 is about something else: Firebase's key for Apple. */
function refusesToken(error: unknown): boolean {
  const { httpResponse } = error as Thrown;
  return httpResponse?.status === 401 && detailsOf(httpResponse.data).code === null;
}

/** What firebase-admin rejects with. */
interface Thrown {
  code?: string;
  cause?: unknown;
  httpResponse?: { status: number; headers?: Record<string, string | string[] | undefined>; data?: unknown };
}

/** Null when no answer came. */
function verdictOf(error: unknown, attempt: Attempt): Verdict | null {
  const { code = '', cause, httpResponse } = error as Thrown;
  if (cause instanceof NoAccessToken) return cause.outcome;
  const retryAfterMs = readRetryAfter(attempt.retryAfter, Date.now());
  if (httpResponse) return fcmVerdict({ status: httpResponse.status, retryAfterMs, ...detailsOf(httpResponse.data) });
  // firebase-admin's own word about a message that it does not send.
  if (code === 'messaging/invalid-payload' || code === 'messaging/invalid-argument')
    return { kind: 'fail', reason: code };
  // It wanted to send once more: the answer that there was counts.
  if (attempt.status !== null && attempt.status !== 200)
    return fcmVerdict({ status: attempt.status, code: null, info: null, wrongFields: [], retryAfterMs });
  return null;
}

interface Detail {
  '@type'?: string;
  errorCode?: string;
  reason?: string;
  fieldViolations?: { field?: string }[];
}

function detailsOf(data: unknown): Pick<FcmAnswer, 'code' | 'info' | 'wrongFields'> {
  const details = (data as { error?: { details?: unknown } } | undefined)?.error?.details;
  const all: Detail[] = Array.isArray(details) ? details : [];
  const isA = (type: string) => (detail: Detail) => detail?.['@type'] === `type.googleapis.com/${type}`;
  const code = all.find(isA('google.firebase.fcm.v1.FcmError'))?.errorCode;
  const info = all.find(isA('google.rpc.ErrorInfo'))?.reason;
  const violations = all.filter(isA('google.rpc.BadRequest')).flatMap((detail) => detail.fieldViolations ?? []);
  return { code: code ?? null, info: info ?? null, wrongFields: violations.map(({ field = '' }) => field) };
}

/** Whoever finds fault with the token has taken the credentials. */
function judge(verdict: Verdict): Awaited<ReturnType<Provider['check']>> {
  if (verdict.kind === 'pause' || verdict.kind === 'expired') return { taken: false, reason: verdict.reason };
  if (verdict.kind === 'doubt') return { taken: verdict.reason === 'SENDER_ID_MISMATCH', reason: verdict.reason };
  if (verdict.kind === 'sent') return { taken: true, reason: 'sent' };
  const ofFcm =
    verdict.kind === 'drop' ||
    verdict.kind === 'suspect' ||
    (verdict.kind === 'fail' && !verdict.reason.startsWith('http-'));
  return ofFcm ? { taken: true, reason: verdict.reason } : null;
}
