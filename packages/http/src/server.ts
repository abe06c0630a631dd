// The HTTP server of a process, and what all its parts share: addresses, limits, hashes. In one process the gateway and
// the console are two parts of one server. Scaled out, each has a server of its own.
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createSealer,
  type Health,
  type HealthServer,
  type Logger,
  type MetricDefinition,
  type Metrics,
  noTracing,
  serveHealth,
  type Tracing,
} from '@landfall/runtime';
import type { Express } from 'express';
import {
  addressFound,
  clientAddress,
  countedPeers,
  trustsPeer,
  type UntrustedProxies,
  untrustedProxies,
} from './addresses/client-address.ts';
import { trustedPeers } from './addresses/forwarded-for.ts';
import { peopleAddresses } from './addresses/people-addresses.ts';
import { responseHeaders } from './answers/response-headers.ts';
import { createApp } from './app.ts';
import type { HttpConfig } from './config.ts';
import { hashes as createHashes, type Hashes } from './hashes.ts';
import type { LimitCounter } from './limits/limits.ts';
import { memoryCounter } from './limits/memory-counter.ts';
import { redisCounter } from './limits/redis-counter.ts';
import { createWorkGate } from './limits/work-gate.ts';
import { connectRedis } from './redis/redis.ts';
import type { HttpHandler, HttpRequest } from './requests/http-messages.ts';
import type { Serving } from './routes/serve-routes.ts';
import { close, createHttpServer, listen } from './sockets/http-server.ts';

/** The metrics of a process that serves HTTP, except those of requests. */
export const httpMetricTable = {
  limiterMode: {
    name: 'landfall_limiter_mode',
    type: 'gauge',
    labels: ['mode'],
    help: '1 for the place where rate limits are counted now: redis (shared by all processes) or memory (each process alone).',
  },
  connectionsRefused: {
    name: 'landfall_connections_refused_total',
    type: 'counter',
    labels: [],
    help: 'Connections that were closed at once, because MAX_CONNECTIONS others were open, or MAX_CONNECTIONS_PER_ADDRESS others of the same address.',
  },
  untrustedForwards: {
    name: 'landfall_untrusted_forwards_total',
    type: 'counter',
    labels: [],
    help: 'Requests with X-Forwarded-For from a private peer that TRUST_PROXY does not name. None of them is matched by address.',
  },
} as const satisfies Record<string, MetricDefinition>;

export interface HttpOptions {
  /** The name of the process in its health: `gateway` or `console`. */
  name: string;
  config: HttpConfig;
  /** The name of this process among several. Defaults to the host's name. */
  instance?: string | undefined;
  log: Logger;
  health: Health;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  /** The time in milliseconds. Defaults to the system's clock. */
  now?: (() => number) | undefined;
  /** True when METRICS_PORT is served already. */
  metricsServed?: boolean;
}

export type HttpParts = ReturnType<typeof createServer>['parts'];
/** What several processes of a kind share in a Redis. */
export type InRedis = NonNullable<HttpParts['inRedis']>;

/** A part of a server: the gateway, or the console. */
export interface Part {
  /** Answers the most frequent requests, before express. Calls `next` for all others. One part has it. */
  first?: HttpHandler;
  mount(app: Express): void;
  started?(): void;
  /** Ends what stays open, before the server closes. */
  closing?(): void | Promise<void>;
  /** Finishes what was accepted, after the last answer. */
  stop?(): void | Promise<void>;
}

export function createServer(options: HttpOptions) {
  const { name, config, log, health, metrics, tracing = noTracing } = options;
  const now = () => new Date(options.now?.() ?? Date.now());
  const hashes = createHashes(config.HASH_SECRET);
  const trusts = trustedPeers(config.TRUST_PROXY);
  const proxies = untrustedProxies((peer) =>
    log.warn(
      { peer },
      'an untrusted peer sends X-Forwarded-For: set TRUST_PROXY, or its requests are not matched by address',
    ),
  );
  const people = peopleAddresses();
  const { limits, inRedis } = inCommon(config, hashes, log);
  const isFromProxy = (req: HttpRequest) => trustsPeer(req, trusts);
  const serving: Serving = {
    limits,
    addressOf: (req) => clientAddress(req, trusts, proxies),
    probedAddressOf: (req) => clientAddress(req, trusts),
    addressFound: (req) => addressFound(req, trusts),
    sawPerson: (req, { key }) => people.saw(key, req.headers['x-forwarded-for'] !== undefined, Date.now()),
  };
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  health.add(name, () => ({ ok: state === 'ready', detail: state }));
  health.add('limits', () => limits.health());
  health.add('proxies', () => ({ ok: true, detail: proxies.detail() }));
  addHttpMetrics(metrics, limits, proxies);
  const refused = metrics.count(httpMetricTable.connectionsRefused);

  let parts: readonly Part[] = [];
  let server: ReturnType<typeof createHttpServer> | undefined;
  let healthServer: HealthServer | undefined;

  async function open(): Promise<number> {
    const app = createApp({
      config,
      log,
      health,
      metrics,
      tracing,
      stopping: () => state === 'stopping',
      isFromProxy,
      first: parts.find((part) => part.first)?.first,
      mount(app) {
        for (const part of parts) part.mount(app);
      },
    });
    server = createHttpServer(app, {
      maxConnections: config.MAX_CONNECTIONS,
      requestMs: config.REQUEST_SECONDS * 1000,
      headers: responseHeaders(config.PUBLIC_URL),
      countedFor: countedPeers(trusts, config.MAX_CONNECTIONS_PER_ADDRESS),
      onRefused: () => refused(),
    });
    const { METRICS_PORT: port, METRICS_HOSTS: metricsHosts } = config;
    if (port !== undefined && !options.metricsServed)
      healthServer = await serveHealth({ port, metricsHosts, health, metrics, log });
    await listen(server, config.PORT, config.LISTEN_HOST);
    return (server.address() as AddressInfo).port;
  }

  return {
    parts: {
      instance: options.instance ?? hostname(),
      log,
      health,
      metrics,
      hashes,
      /** Seals personal data that people enter, and opens their emails in replies. */
      sealer: createSealer(config.SEAL_SECRET),
      serving,
      /** Bounds work that everyone may start. */
      work: createWorkGate(),
      /** Null without a Redis: then each process counts and remembers alone. */
      inRedis,
      trusts,
      limitsIn: () => limits.mode(),
      seen: () => ({ people: people.read(), untrustedProxies: proxies.peers() }),
      now,
    },
    /** Starts to listen. Resolves with the port. */
    async start(given: readonly Part[]): Promise<number> {
      parts = given;
      const port = await open().catch(async (error: unknown) => {
        limits.close();
        await healthServer?.stop();
        throw error;
      });
      state = 'ready';
      for (const part of parts) part.started?.();
      return port;
    },
    /** Makes the process not ready. After DRAIN_SECONDS it accepts no more connections, and finishes open requests. */
    async stop(): Promise<void> {
      state = 'stopping';
      await delay(config.DRAIN_SECONDS * 1000);
      const closing = Promise.all(parts.map((part) => part.closing?.()));
      if (server) await close(server);
      await closing;
      await Promise.all(parts.map((part) => part.stop?.()));
      limits.close();
      await healthServer?.stop();
    },
  };
}

/** Returns the counter of the limits. With a Redis, all processes count there together. */
function inCommon(
  { REDIS_URL, REDIS_TIMEOUT_MS: withinMs, RATE_LIMITS: limits }: HttpConfig,
  { limited: keyOf }: Hashes,
  log: Logger,
) {
  if (REDIS_URL === undefined) return { limits: memoryCounter(limits), inRedis: null };
  const redis = connectRedis(REDIS_URL);
  const counter = redisCounter({ redis, withinMs, limits, keyOf, log });
  /** `isUp` is false while Redis does not answer. */
  const inRedis = { redis, isUp: () => counter.mode() === 'redis', withinMs, keyOf };
  return { limits: counter, inRedis };
}

const MODES = ['redis', 'memory'] as const;

export function addHttpMetrics(metrics: Metrics, limits: LimitCounter, proxies: UntrustedProxies): void {
  metrics.add(httpMetricTable.limiterMode, () => {
    const now = limits.mode();
    return MODES.map((mode) => ({ labels: { mode }, value: Number(mode === now) }));
  });
  metrics.add(httpMetricTable.untrustedForwards, proxies.count);
}
