// Apple's push service. node-apn makes the headers and the body of a push. They go out over HTTP/2 sessions of ours.
import { sign } from 'node:crypto';
import type { PushEnvironment } from '@landfall/contracts';
import type { ApnsCredentials } from '@landfall/runtime';
import apn from '@parse/node-apn';
import { apnsVerdict, noAnswer, type ProviderVerdict, readRetryAfter } from '../domain/outcomes.ts';
import { type ApnsNotification, renderApns } from '../domain/render/render-apns.ts';
import type { Http2Options, Reply } from './http2-line.ts';
import { createHttp2Provider, parseJson } from './http2-provider.ts';
import { createHttp2Sessions } from './http2-sessions.ts';
import type { Checked, PushProvider } from './provider.ts';

/** The number of pushes that one app may have in flight. */
const AT_ONCE = 500;
const hosts: Record<PushEnvironment, string> = {
  production: 'api.push.apple.com',
  sandbox: 'api.sandbox.push.apple.com',
};
/** Apple allows 1,000 streams on a session. It wants few sessions, which stay open. */
const sessionsOptions = { mostLines: 1, idleMs: 300_000 };

type Asked = Omit<Partial<ApnsNotification>, 'rawPayload'> & { readonly rawPayload: object };

export function createApnsProvider(credentials: ApnsCredentials, options: Http2Options): PushProvider {
  const { bundleId } = credentials;
  const signatures = createSignatures(credentials);
  const sessionsTo = (environment: PushEnvironment) =>
    createHttp2Sessions({ host: hosts[environment], ...sessionsOptions, ...options });
  const sessions = { production: sessionsTo('production'), sandbox: sessionsTo('sandbox') };

  /** An app that does not report its environment is treated as an app from the store. */
  async function ask(asked: Asked, token: string, environment: PushEnvironment | null): Promise<ProviderVerdict> {
    const { headers, body } = apnsRequest(asked);
    const authorization = signatures.get();
    const request = { path: `/3/device/${token}`, headers: { ...headers, authorization }, body };
    const reply = await sessions[environment ?? 'production'].post(request);
    if (reply.status === 200) return { kind: 'sent', providerId: asked.id ?? null, logged: false };
    const verdict = verdictOf(reply, environment);
    if (verdict.kind === 'expired') signatures.refuse(authorization);
    return verdict;
  }

  return createHttp2Provider({
    kind: 'apns',
    atOnce: AT_ONCE,
    ask: (push) => ask(renderApns(push, bundleId, new Date()), push.token, push.environment),
    check: async () => judge(await ask(nothing(bundleId), NOBODY, null)),
    close: async () => void (await Promise.all([sessions.production.close(), sessions.sandbox.close()])),
  });
}

/** Parts of node-apn that its types leave out. */
interface Made {
  headers(): Record<string, string | number>;
  compile(): string;
}

export function apnsRequest(asked: Asked) {
  const made = new apn.Notification(asked) as unknown as Made;
  return { headers: made.headers(), body: made.compile() };
}

/** Apple accepts a signature for an hour, and not many new ones. */
const SIGNED_MS = 3_300_000;

/** One signature (a JSON web token, ES256) serves all pushes until it is too old or is refused. */
function createSignatures({ key, keyId, teamId }: ApnsCredentials) {
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  let kept = '';
  let usedUntil = 0;
  return {
    get(): string {
      const now = Date.now();
      if (kept !== '' && now < usedUntil) return kept;
      const claims = { iss: teamId, iat: Math.floor(now / 1_000) };
      const text = `${encoded({ alg: 'ES256', kid: keyId, typ: 'JWT' })}.${encoded(claims)}`;
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
      kept = `bearer ${text}.${signature.toString('base64url')}`;
      usedUntil = now + SIGNED_MS;
      return kept;
    },
    /** Reports that Apple refuses this signature. The next caller gets another one. */
    refuse(signature: string): void {
      if (kept === signature) kept = '';
    },
  };
}

function verdictOf(reply: Reply, environment: PushEnvironment | null): ProviderVerdict {
  if (reply.status === null) return noAnswer(reply.unsent !== undefined, reply.timedOut);
  const { status, headers, body, whole } = reply;
  if (!whole) return noAnswer(false, false);
  const data = parseJson<{ reason?: string; timestamp?: number }>(body);
  const date = Date.parse(headers.date ?? '');
  const answer = {
    status,
    reason: data?.reason ?? null,
    timestamp: typeof data?.timestamp === 'number' ? data.timestamp : null,
    date: Number.isNaN(date) ? null : date,
    now: Date.now(),
    retryAfterMs: readRetryAfter(headers['retry-after'], Date.now()),
  };
  return apnsVerdict(answer, environment);
}

/** A token that no device has. */
const NOBODY = '0'.repeat(64);

/** Returns a push that would show nothing, even if there were such a device. */
const nothing = (topic: string): Asked => ({
  topic,
  pushType: 'background',
  priority: 5,
  expiry: 0,
  rawPayload: { aps: { 'content-available': 1 } },
});

/** A complaint about the token shows that Apple accepts the credentials. One about the topic: the bundle id is wrong. */
function judge(verdict: ProviderVerdict): Checked | null {
  if (verdict.kind === 'sent') return { taken: true, reason: 'sent' };
  if (verdict.kind === 'wait' || verdict.kind === 'retry' || verdict.kind === 'unknown') return null;
  // The signature was made a moment ago, so a clock is wrong.
  if (verdict.kind === 'expired') return { taken: false, reason: `${verdict.reason}: ${verdict.clocks}` };
  const aboutTopic = ['BadTopic', 'MissingTopic', 'TopicDisallowed'].includes(verdict.reason);
  return { taken: verdict.kind !== 'pause' && !aboutTopic, reason: verdict.reason };
}
