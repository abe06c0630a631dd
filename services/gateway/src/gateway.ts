// The gateway: the routes for apps and backends, and the hosts of links. It has no database, and asks services over the
// bus.
import { type Bus, each } from '@landfall/bus';
import { SeeGateway } from '@landfall/contracts';
import {
  createHosts,
  type HttpParts,
  handlersOf,
  isGuessable,
  memoryCounter,
  type Part,
  serveGet,
  serveRoutes,
  setRoute,
} from '@landfall/http';
import { productVersion } from '@landfall/runtime';
import type { Express } from 'express';
import { createClientCalls } from './access/client-calls.ts';
import { createIdentities } from './access/identity.ts';
import { createKeyUses } from './access/key-use.ts';
import type { GatewayConfig } from './config.ts';
import { createCountries } from './country/country-of.ts';
import { addGatewayMetrics, gatewayMetricTable } from './gateway-metrics.ts';
import { serveLinkHost } from './link-host/serve-link-host.ts';
import { createSteps, memoryInRedis, memoryOfGateway } from './link-host/steps/steps.ts';
import { tapTeller } from './link-host/tell-tap.ts';
import { serveLogo } from './logos/serve-logo.ts';
import { createLookups } from './lookups/lookups.ts';
import { getBySlug } from './routes/get-by-slug.ts';
import { sdkRoutes } from './routes/index.ts';
import { authenticator } from './routing/authenticate.ts';
import { openToPages } from './routing/open-to-pages.ts';
import type { GatewayParts } from './routing/route.ts';
import { type SdkServing, sdkKind } from './routing/serve-sdk.ts';
import { createOpens } from './sending/opens.ts';
import { restoreReleases } from './sending/restore-releases.ts';
import { serveSimulatedApp } from './simulated-app/serve-simulated-app.ts';

/** The maximum number of addresses whose calls with unknown keys are counted. The least recently seen go first. */
const MAX_UNMET = 10_000;

export function createGateway(http: HttpParts, { config, bus }: { config: GatewayConfig; bus: Bus }): Part {
  const { hashes, health, log, metrics, now, sealer, serving, work } = http;
  const lookups = createLookups(bus);
  const steps = createSteps(memoryOfGateway(), http.inRedis && memoryInRedis(http.inRedis), () => now().getTime());
  const taps = tapTeller(bus, log);
  const releases = restoreReleases(bus, log);
  const opens = createOpens(bus, hashes, log, now);
  const keyUses = createKeyUses(bus, log, now);
  const clientCalls = createClientCalls(bus, log, now);
  const keyHeaders = ['x-service-sdk-key', ...config.SDK_KEY_HEADERS];
  const countries = createCountries(config, http.trusts, log);
  const parts: GatewayParts = {
    bus,
    lookups,
    hashes,
    hosts: createHosts(config),
    sealer,
    identities: createIdentities(sealer, hashes, now),
    work,
    config,
    log,
    restoreReleases: releases,
    opens,
    clientCalls,
    restored: metrics.count(gatewayMetricTable.restores),
    now,
  };
  health.add('taps', () => taps.health());
  addGatewayMetrics(metrics, taps);
  answerGatewayView(bus, http, config);

  const sdk: SdkServing = {
    parts,
    serving,
    unmet: memoryCounter(config.RATE_LIMITS, MAX_UNMET),
    keys: authenticator(lookups, keyHeaders, keyUses.used, now),
    countryOf: (req, address) => countries.of(req, address),
  };
  const linkHost = serveLinkHost({
    ...serving,
    parts,
    taps,
    steps,
    countries,
    exitUsed: metrics.count(gatewayMetricTable.exits),
    simulatedApp: serveSimulatedApp(sdk),
  });

  const handlers = handlersOf(sdkRoutes, sdkKind(sdk), serving);
  handlers.set(getBySlug.path, openToPages([...keyHeaders, 'authorization'], handlers.get(getBySlug.path)!));

  return {
    first: (req, res, next) =>
      linkHost.tapOrPass(req, res, (error) => {
        // Express answers other spellings of these paths.
        const handler = error === undefined ? handlers.get(req.path) : undefined;
        if (handler === undefined) return next(error);
        setRoute(res, req.path);
        return handler(req, res, next);
      }),
    mount(app: Express) {
      serveRoutes(app, handlers);
      serveGet(app, '/.well-known/apple-app-site-association', linkHost.appleAppSiteAssociation);
      serveGet(app, '/.well-known/assetlinks.json', linkHost.assetLinks);
      serveGet(app, '/robots.txt', linkHost.robots);
      serveGet(app, '/logos/:file', serveLogo(lookups));
    },
    closing: () => countries.stop(),
    async stop() {
      await Promise.all([taps.stop(), opens.stop(), releases.stop()]);
      await Promise.all([keyUses.stop(), clientCalls.stop()]);
    },
  };
}

const MOST_PROXIES = 10;

/**
 * Tells the console about this gateway: its settings, and what it has seen of its clients. `landfall doctor` checks
 * proxies with it.
 */
function answerGatewayView(
  bus: Bus,
  { instance, limitsIn, now, seen, hashes }: HttpParts,
  config: GatewayConfig,
): void {
  const { TRUST_PROXY: trust } = config;
  bus.answer(
    SeeGateway,
    each(async () => {
      const { people, untrustedProxies } = seen();
      const reply = {
        instance,
        version: productVersion,
        node: process.version,
        now: now().toISOString(),
        publicUrl: config.PUBLIC_URL,
        linkDomain: config.LINK_DOMAIN,
        ipv6Host: config.IPV6_HOST ?? null,
        trustProxy: typeof trust === 'number' ? `${trust}` : trust.join(),
        limitsIn: limitsIn(),
        hashSecret: { check: hashes.check(), guessable: isGuessable(config.HASH_SECRET) },
        untrustedProxies: untrustedProxies.slice(0, MOST_PROXIES),
        people: { ...people, since: people.since === null ? null : new Date(people.since).toISOString() },
      };
      return { reply };
    }),
  );
}
