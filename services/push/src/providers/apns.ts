// Apple's push service, through @parse/node-apn with a patch (docs/decisions/).

import type { PushEnvironment } from '@landfall/contracts';
import type { ApnsCredentials } from '@landfall/runtime';
import apn from '@parse/node-apn';
import { createDoubts } from '../domain/doubts.ts';
import { apnsVerdict, noAnswer, type ProviderVerdict, readRetryAfter } from '../domain/outcomes.ts';
import { type ApnsNotification, renderApns } from '../domain/render/render-apns.ts';
import { fits } from '../domain/render/size.ts';
import type { PushProvider } from './provider.ts';
import { createUnderWay, type UnderWay } from './under-way.ts';

/**
 * The wait for a free stream counts as waiting for the answer. With more pushes at once, some would time out before
 * they are sent.
 */
const AT_ONCE = 500;
const MOST_TRIES = 4;

export interface ApnsOptions {
  /** The servers to connect to. Empty: Apple's servers, one host for each environment. */
  readonly connect: { readonly host?: string; readonly port?: number; readonly ca?: string };
  /** Milliseconds that Apple may take to answer. */
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
  /** When Apple last answered on the connection, from `performance.now()`. */
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

  /** Retires the connection. The next push uses another connection. */
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
    // The connection has been silent since before this push. The peer may be gone without notice, and node-apn would
    // keep the connection.
    else if (failure.timeout && connection.heardAt < startedAt) retire(host, connection);
    return failure;
  }

  /**
   * Sends to the host of the environment. An app that does not report its environment is treated as an app from the
   * store.
   */
  async function ask(
    notification: ApnsRequest,
    token: string,
    environment: PushEnvironment | null,
  ): Promise<ProviderVerdict> {
    const host = environment ?? 'production';
    let failure = await askOnce(notification, token, host);
    // A connection that has just begun, or is about to end, refuses pushes that are too many for it. Apple has not seen
    // them, so they are sent again.
    for (let tries = 1; failure?.unsent === 'refused' && tries < MOST_TRIES; tries++) {
      // At the moment of the refusal the connection does not know yet that it ends.
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

/** Shuts the connection down after its pushes under way have ended. */
async function shutDown({ client, underWay }: Connection): Promise<void> {
  await underWay.drained();
  await new Promise<void>((resolve) => {
    void client.shutdown(resolve);
  });
}

/** The failure that node-apn reports. The types of node-apn are wrong here. */
interface Failure {
  readonly status?: number;
  readonly response?: { readonly reason?: string; readonly timestamp?: number };
  readonly retryAfter?: string;
  /** The `Date` header of the answer. The patch passes it on. */
  readonly date?: string;
  /** Set by the patch: the peer cannot have seen the push. */
  readonly unsent?: 'pending' | 'refused';
  readonly timeout?: true;
  /** The code of an error that Node throws before there is a stream. */
  readonly code?: string;
}

function verdictOf(failure: Failure, environment: PushEnvironment | null): ProviderVerdict {
  const { status, response, retryAfter, date = '', unsent, timeout, code } = failure;
  if (!status) return noAnswer(unsent !== undefined || code !== undefined, timeout === true);
  // node-apn does not pass on the reason in two cases.
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

/** A token that no device has. */
const NOBODY = '0'.repeat(64);

/** Returns a push that would show nothing, even if there were such a device. */
const nothing = (topic: string): ApnsRequest => ({
  topic,
  pushType: 'background',
  priority: 5,
  expiry: 0,
  rawPayload: { aps: { 'content-available': 1 } },
});

/**
 * Returns whether Apple accepted the credentials; null when the answer does not show it. A complaint about the token
 * means that Apple accepted the credentials. A complaint about the topic means that the bundle id is wrong.
 */
function judge(verdict: ProviderVerdict): Awaited<ReturnType<PushProvider['check']>> {
  if (verdict.kind === 'sent') return { taken: true, reason: 'sent' };
  if (verdict.kind === 'wait' || verdict.kind === 'retry' || verdict.kind === 'unknown') return null;
  // The signature was made a moment ago, so a clock is wrong.
  if (verdict.kind === 'expired') return { taken: false, reason: `${verdict.reason}: ${verdict.clocks}` };
  const aboutTopic = ['BadTopic', 'MissingTopic', 'TopicDisallowed'].includes(verdict.reason);
  return { taken: verdict.kind !== 'pause' && !aboutTopic, reason: verdict.reason };
}
