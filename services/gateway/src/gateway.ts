// The only HTTP server. It limits, authenticates, parses, asks services and answers. It has no database.
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, DeadLetterBox, GroupState } from '@landfall/bus';
import {
  createSealer,
  type Health,
  type HealthServer,
  type Logger,
  type Metrics,
  noTracing,
  serveHealth,
  type Tracing,
} from '@landfall/runtime';
import { createCookies } from './access/cookies.ts';
import { createIdentities } from './access/identity.ts';
import { createKeyUses } from './access/key-use.ts';
import { createSignInGate } from './access/sign-in-gate.ts';
import { countedPeers } from './addresses/counted-peers.ts';
import { trustedPeers } from './addresses/forwarded-for.ts';
import { createHosts } from './addresses/hosts.ts';
import { peopleAddresses } from './addresses/people-addresses.ts';
import { untrustedProxies } from './addresses/untrusted-proxies.ts';
import { createApp } from './app.ts';
import { createAppChecks } from './association/app-checks.ts';
import { getFile } from './association/get-file.ts';
import { monitors, startMonitor } from './association/monitor.ts';
import type { GatewayConfig } from './config.ts';
import { createCountries } from './country/country-of.ts';
import { addGatewayMetrics, gatewayMetricTable } from './gateway-metrics.ts';
import { hashes as createHashes, type Hashes } from './hashes.ts';
import { responseHeaders } from './http/response-headers.ts';
import { close, createHttpServer, listen } from './http/sockets/http-server.ts';
import type { LimitCounter } from './limits/limits.ts';
import { memoryCounter } from './limits/memory-counter.ts';
import { redisCounter } from './limits/redis-counter.ts';
import { createWorkGate } from './limits/work-gate.ts';
import { exitTeller } from './link-host/exits/tell-exits.ts';
import { createSteps, type Steps } from './link-host/steps/steps.ts';
import { memoryInRedis, memoryOfGateway, type TapMemory } from './link-host/steps/tap-memory.ts';
import { tapTeller } from './link-host/tell-tap.ts';
import { createLiveFeeds } from './live/live-feeds.ts';
import { createStreams } from './live/streams.ts';
import { createLookups } from './lookups/lookups.ts';
import { createProvider } from './oidc/provider.ts';
import { oidcOf } from './oidc/settings.ts';
import { connectRedis } from './redis/redis.ts';
import { CALLBACK } from './routes/manage-oidc.ts';
import type { GatewayParts, Self } from './routing/route.ts';
import { createOpens } from './sending/opens.ts';
import { restoreReleases } from './sending/restore-releases.ts';
import { builtIn, type WebApp } from './web-app/web-app.ts';

export interface GatewayOptions {
  config: GatewayConfig;
  /** The name of this gateway among several. Defaults to the host's name. */
  instance?: string;
  bus: Bus;
  deadLetters: DeadLetterBox;
  /** Returns the state of every consumer group. */
  groups: () => Promise<GroupState[]>;
  log: Logger;
  health: Health;
  metrics: Metrics;
  tracing?: Tracing;
  /** The web app. Defaults to the files in WEB_APP_DIR. */
  webApp?: WebApp | undefined;
  /** The time in milliseconds. Defaults to the system's clock. */
  now?: () => number;
}

export interface Gateway {
  /** Starts to listen. Resolves with the port. */
  start(): Promise<number>;
  /** Makes the gateway not ready. After DRAIN_SECONDS it accepts no more connections, and finishes open requests. */
  stop(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { config, bus, log, health, metrics, tracing = noTracing } = options;
  const now = () => new Date(options.now?.() ?? Date.now());
  const hashes = createHashes(config.HASH_SECRET);
  const lookups = createLookups(bus);
  const { limits, steps } = inCommon(config, hashes, log, now);
  const taps = tapTeller(bus, log);
  const releases = restoreReleases(bus, log);
  const opens = createOpens(bus, hashes, log, now);
  const restored = metrics.count(gatewayMetricTable.restores);
  const associationChecked = metrics.count(gatewayMetricTable.associationChecks);
  const cookies = createCookies(config.PUBLIC_URL);
  const proxies = untrustedProxies((peer) =>
    log.warn(
      { peer },
      'an untrusted peer sends X-Forwarded-For: set TRUST_PROXY, or its requests are not matched by address',
    ),
  );
  const people = peopleAddresses();
  const countries = createCountries(config, trustedPeers(config.TRUST_PROXY), log);
  const self: Self = {
    instance: options.instance ?? hostname(),
    limitsIn: () => limits.mode(),
    seen: () => ({ people: people.read(), untrustedProxies: proxies.peers() }),
  };
  const keyUses = createKeyUses(bus, log, now);
  const live = createLiveFeeds({ bus, log, now });
  const streams = createStreams();
  const oidc = oidcOf(config);
  const sealer = createSealer(config.SEAL_SECRET);
  const parts: GatewayParts = {
    bus,
    lookups,
    hashes,
    hosts: createHosts(config),
    sealer,
    identities: createIdentities(sealer, hashes, now),
    cookies,
    provider: oidc ? createProvider(oidc, config.PUBLIC_URL + CALLBACK) : null,
    signIns: createSignInGate(),
    work: createWorkGate(),
    config,
    log,
    restoreReleases: releases,
    now,
    opens,
    live,
    deadLetters: options.deadLetters,
    groups: options.groups,
    streams,
    checks: createAppChecks(now),
    self,
    restored,
    associationChecked: (failing) => associationChecked(failing ? 'failed' : 'ok'),
  };
  let state: 'starting' | 'ready' | 'stopping' = 'starting';

  const app = createApp({
    parts,
    limits,
    taps,
    steps,
    tellExit: exitTeller(bus, log, now, metrics.count(gatewayMetricTable.exits)),
    keyUses,
    people,
    proxies,
    countries,
    health,
    metrics,
    tracing,
    webApp: options.webApp ?? (config.WEB_APP_DIR === undefined ? null : builtIn(config.WEB_APP_DIR)),
    stopping: () => state === 'stopping',
  });

  health.add('gateway', () => ({ ok: state === 'ready', detail: state }));
  health.add('limits', () => limits.health());
  health.add('taps', () => taps.health());
  health.add('proxies', () => ({ ok: true, detail: proxies.detail() }));
  addGatewayMetrics(metrics, limits, taps, proxies);
  metrics.addHealth(health);

  const refused = metrics.count(gatewayMetricTable.connectionsRefused);
  const server = createHttpServer(app, {
    maxConnections: config.MAX_CONNECTIONS,
    requestMs: config.REQUEST_SECONDS * 1000,
    headers: responseHeaders(config.PUBLIC_URL),
    countedFor: countedPeers(trustedPeers(config.TRUST_PROXY), config.MAX_CONNECTIONS_PER_ADDRESS),
    onRefused: () => refused(),
  });
  let healthServer: HealthServer | undefined;
  let monitor: ReturnType<typeof startMonitor> | undefined;

  async function open(): Promise<void> {
    const { METRICS_PORT: port, METRICS_HOSTS: metricsHosts } = config;
    if (port !== undefined) healthServer = await serveHealth({ port, metricsHosts, health, metrics, log });
    await listen(server, config.PORT, config.LISTEN_HOST);
  }

  return {
    async start() {
      await open().catch(async (error: unknown) => {
        limits.close();
        await healthServer?.stop();
        throw error;
      });
      state = 'ready';
      if (monitors(config)) monitor = startMonitor({ ...parts, checked: parts.associationChecked, get: getFile });
      return (server.address() as AddressInfo).port;
    },
    async stop() {
      state = 'stopping';
      await delay(config.DRAIN_SECONDS * 1000);
      streams.stop();
      live.stop();
      countries.stop();
      const monitored = monitor?.stop();
      await close(server);
      await Promise.all([taps.stop(), opens.stop(), releases.stop(), monitored]);
      await keyUses.stop();
      limits.close();
      await healthServer?.stop();
    },
  };
}

/** Returns what gateways share in a Redis. Without one, each gateway counts and remembers alone. */
function inCommon(
  { REDIS_URL, REDIS_TIMEOUT_MS: withinMs, RATE_LIMITS: limits }: GatewayConfig,
  { limited: keyOf }: Hashes,
  log: Logger,
  now: () => Date,
): { limits: LimitCounter; steps: Steps } {
  const stepsIn = (shared: TapMemory | null) => createSteps(memoryOfGateway(), shared, () => now().getTime());
  if (REDIS_URL === undefined) return { limits: memoryCounter(limits), steps: stepsIn(null) };
  const redis = connectRedis(REDIS_URL);
  const counter = redisCounter({ redis, withinMs, limits, keyOf, log });
  const isUp = () => counter.mode() === 'redis';
  return { limits: counter, steps: stepsIn(memoryInRedis({ redis, isUp, withinMs, keyOf })) };
}
