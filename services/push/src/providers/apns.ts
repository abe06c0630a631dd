// Apple's push service, by @parse/node-apn, which is patched (docs/decisions/).

import type { PushEnvironment } from '@landfall/contracts';
import type { ApnsCredentials } from '@landfall/runtime';
import apn from '@parse/node-apn';
import { createDoubts } from '../domain/doubts.ts';
import { apnsVerdict, noAnswer, type ProviderVerdict, readRetryAfter } from '../domain/outcomes.ts';
import { type ApnsNotification, renderApns } from '../domain/render/render-apns.ts';
import { fits } from '../domain/render/size.ts';
import type { PushProvider } from './provider.ts';
import { createUnderWay, type UnderWay } from './under-way.ts';

/** Waiting for a place among the streams counts as waiting for the answer: with more, some would wait in vain. */
const AT_ONCE = 500;
const MOST_TRIES = 4;

export interface ApnsOptions {
  /** The servers. Empty: Apple's, one host for each environment. */
  readonly connect: { readonly host?: string; readonly port?: number; readonly ca?: string };
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number;
}

const hosts: Record<PushEnvironment, string> = {
  production: 'api.push.apple.com',
  sandbox: 'api.sandbox.push.apple.com',
};

/** The notification from which node-apn makes headers and a body. */
type ApnsRequest =
  | ApnsNotification
  | ({ readonly [key in keyof ApnsNotification]?: unknown } & { readonly id?: never });

interface Connection {
  readonly client: apn.Provider;
  readonly underWay: UnderWay;
  /** When something was last heard of it. */
  heardAt: number;
}

export function createApnsProvider(credentials: ApnsCredentials, { connect, timeoutMs }: ApnsOptions): PushProvider {
  const { key, keyId, teamId, bundleId } = credentials;
  const connections = new Map<PushEnvironment, Connection>();
  const closing = new Set<Promise<void>>();
  const underWay = createUnderWay();
  const doubts = createDoubts();
  let closed: Promise<void> | undefined;

  function connectionTo(environment: PushEnvironment): Connection {
    const there = connections.get(environment);
    if (there) return there;
    const client = new apn.Provider({
      token: { key: Buffer.from(key), keyId, teamId },
      address: connect.host ?? hosts[environment],
      port: connect.port ?? 443,
      ...(connect.ca ? { ca: [connect.ca] } : {}),
      connectionRetryLimit: 0,
      requestTimeout: timeoutMs,
    });
    const connection = { client, underWay: createUnderWay(), heardAt: 0 };
    connections.set(environment, connection);
    return connection;
  }

  /** The next push gets another connection. */
  function retire(environment: PushEnvironment, connection: Connection): void {
    if (connections.get(environment) !== connection) return;
    connections.delete(environment);
    const done = shutDown(connection).finally(() => closing.delete(done));
    closing.add(done);
  }

  async function askOnce(
    notification: ApnsRequest,
    token: string,
    host: PushEnvironment,
  ): Promise<Failure | undefined> {
    const connection = connectionTo(host);
    const startedAt = performance.now();
    const { failed } = await connection.underWay.run(() =>
      connection.client.send(new apn.Notification(notification), token),
    );
    const failure = failed[0] as Failure | undefined;
    if (!failure || failure.status) connection.heardAt = performance.now();
    // Silence since before this one: the peer may be gone without a word, and node-apn would hold on to it.
    else if (failure.timeout && connection.heardAt < startedAt) retire(host, connection);
    return failure;
  }

  /** An app that does not say is one from the store. */
  async function ask(
    notification: ApnsRequest,
    token: string,
    environment: PushEnvironment | null,
  ): Promise<ProviderVerdict> {
    const host = environment ?? 'production';
    let failure = await askOnce(notification, token, host);
    // A connection that has just begun, or just ends, refuses what is too much for it: unseen, so it is sent again.
    for (let tries = 1; failure?.unsent === 'refused' && tries < MOST_TRIES; tries++) {
      // In the moment of the refusal the connection does not yet know that it ends.
      await new Promise((resolve) => setImmediate(resolve));
      failure = await askOnce(notification, token, host);
    }
    if (failure) return verdictOf(failure, environment);
    return { kind: 'sent', providerId: notification.id ?? null, logged: false };
  }

  return {
    atOnce: AT_ONCE,
    async send(push) {
      if (closed) return { kind: 'retry', reason: 'closing', retryAfterMs: null };
      if (!fits('apns', push)) return { kind: 'fail', reason: 'payload-too-large' };
      const began = doubts.begin();
      const notification = renderApns(push, bundleId, new Date());
      const verdict = await underWay.run(() => ask(notification, push.token, push.environment));
      return doubts.decide(verdict, began);
    },
    async check() {
      return closed ? null : judge(await underWay.run(() => ask(nothing(bundleId), NOBODY, null)));
    },
    close() {
      closed ??= (async () => {
        await underWay.drained();
        for (const [environment, connection] of connections) retire(environment, connection);
        await Promise.all(closing);
      })();
      return closed;
    },
  };
}

/** Pushes under way end first. */
async function shutDown({ client, underWay }: Connection): Promise<void> {
  await underWay.drained();
  await new Promise<void>((resolve) => {
    void client.shutdown(resolve);
  });
}

/** The failure that node-apn reports; its types are wrong about it. */
interface Failure {
  readonly status?: number;
  readonly response?: { readonly reason?: string; readonly timestamp?: number };
  readonly retryAfter?: string;
  /** The `Date` of the answer: the patch hands it on. */
  readonly date?: string;
  /** The patch says so: the peer cannot have seen it. */
  readonly unsent?: 'pending' | 'refused';
  readonly timeout?: true;
  /** Thrown by Node before there was a stream. */
  readonly code?: string;
}

function verdictOf(failure: Failure, environment: PushEnvironment | null): ProviderVerdict {
  const { status, response, retryAfter, date = '', unsent, timeout, code } = failure;
  if (!status) return noAnswer(unsent !== undefined || code !== undefined, timeout === true);
  // node-apn keeps two reasons to itself.
  const kept = status === 403 ? 'ExpiredProviderToken' : status === 500 ? 'InternalServerError' : null;
  const answer = {
    status,
    reason: response ? (response.reason ?? null) : kept,
    timestamp: typeof response?.timestamp === 'number' ? response.timestamp : null,
    date: Number.isNaN(Date.parse(date)) ? null : Date.parse(date),
    now: Date.now(),
    retryAfterMs: readRetryAfter(retryAfter, Date.now()),
  };
  return apnsVerdict(answer, environment);
}

/** No device has it. */
const NOBODY = '0'.repeat(64);

/** Were there such a device, it would show nothing. */
const nothing = (topic: string): ApnsRequest => ({
  topic,
  pushType: 'background',
  priority: 5,
  expiry: 0,
  rawPayload: { aps: { 'content-available': 1 } },
});

/**
 * A complaint about the token means that the credentials were taken. A complaint about the topic means that the bundle
 * id is wrong.
 */
function judge(verdict: ProviderVerdict): Awaited<ReturnType<PushProvider['check']>> {
  if (verdict.kind === 'sent') return { taken: true, reason: 'sent' };
  if (verdict.kind === 'wait' || verdict.kind === 'retry' || verdict.kind === 'unknown') return null;
  // Signed a moment ago: a clock is wrong.
  if (verdict.kind === 'expired') return { taken: false, reason: `${verdict.reason}: ${verdict.clocks}` };
  const aboutTopic = ['BadTopic', 'MissingTopic', 'TopicDisallowed'].includes(verdict.reason);
  return { taken: verdict.kind !== 'pause' && !aboutTopic, reason: verdict.reason };
}
