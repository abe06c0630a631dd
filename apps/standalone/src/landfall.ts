// Runs every service in one process, on the in-process bus and one PostgreSQL.
import { analyticsWithInbox } from '@landfall/analytics';
import { attributionService } from '@landfall/attribution';
import { createInProcessBus, type GroupState, type InProcessBus, type InProcessOptions } from '@landfall/bus';
import {
  type ConsoleConfig,
  consoleService,
  createConsole,
  ensureFirstOwner,
  type InitOwner,
  type Passwords,
  type Rules,
  type WebApp,
} from '@landfall/console';
import { requests } from '@landfall/contracts';
import { connect, type Database, deadLetterSink, isTransient } from '@landfall/db';
import { createGateway, type GatewayConfig } from '@landfall/gateway';
import { createServer } from '@landfall/http';
import { linkService, warnWithoutSearch } from '@landfall/link';
import { createSending, type PushSettings, pushService } from '@landfall/push';
import {
  busCheck,
  createHealth,
  createMetrics,
  createObserver,
  createSealer,
  type Logger,
  noTracing,
  type Tracing,
} from '@landfall/runtime';
import { migrate } from '@landfall/worker';
import { deadLetterBox } from './dead-letters.ts';
import { type Keep, startRetention } from './retention.ts';

export interface LandfallOptions {
  databaseUrl: string;
  gateway: GatewayConfig;
  console: ConsoleConfig;
  webApp?: WebApp | undefined;
  keep: Keep;
  push: PushSettings;
  /** The owner to create before the server accepts requests. Ignored when the instance already has an owner. */
  firstOwner?: InitOwner | undefined;
  /** The limits for people. */
  rules?: Rules | undefined;
  log: Logger;
  tracing?: Tracing;
  /** For tests: the clock, and false for messages that are checked. */
  bus?: Pick<InProcessOptions, 'clock' | 'trusts'>;
  /** For tests: hashes that cost less. */
  passwords?: Passwords;
}

export interface Landfall {
  port: number;
  bus: InProcessBus;
  database: Database;
  /** For tests: resolves when everything that was told has been taken in and counted. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const CONNECTIONS = 16;

/** `stop` stops the parts in reverse order and finishes the accepted work. */
export async function startLandfall(options: LandfallOptions): Promise<Landfall> {
  const { log, tracing = noTracing } = options;
  const metrics = createMetrics({ service: 'landfall' });
  await migrate(options.databaseUrl);
  const database = connect({
    url: options.databaseUrl,
    max: CONNECTIONS,
    onIdleError: (err) => log.warn({ err }, 'a database connection broke'),
  });
  const bus = createInProcessBus({
    log,
    observer: createObserver(metrics, tracing),
    isTransient,
    deadLetters: deadLetterSink(database),
    expects: requests,
    trusts: true,
    ...options.bus,
  });
  const sealer = createSealer(options.gateway.SEAL_SECRET);
  consoleService({ bus, database });
  linkService({ bus, database });
  attributionService({ bus, database, log });
  const inbox = analyticsWithInbox({ bus, database, log, metrics });
  const { gateway: config, push: settings, bus: { clock } = {} } = options;
  const sending = createSending({ bus, database, sealer, log, metrics, settings, now: clock });
  pushService({ bus, database, sealer, ...sending });
  metrics.addBus(bus);

  const health = createHealth();
  health.add('database', async () => {
    await database.rows('select 1');
    return { ok: true };
  });
  health.add('bus', busCheck(bus));
  metrics.addHealth(health);
  const server = createServer({ name: 'gateway', config, log, health, metrics, tracing, now: clock });
  const { now } = server.parts;
  const gateway = createGateway(server.parts, { config, bus });
  const people = createConsole(server.parts, {
    config: options.console,
    webApp: options.webApp,
    bus,
    database,
    rules: options.rules,
    passwords: options.passwords,
    groups: async () => groupsOf(bus),
    deadLetters: deadLetterBox({ database, bus, log, now }),
  });
  const serve = async (): Promise<number> => {
    if (options.firstOwner) await ensureFirstOwner(database, options.firstOwner, now());
    await warnWithoutSearch(database, log);
    await bus.start();
    return server.start([gateway, people]);
  };
  const port = await serve().catch(async (error: unknown) => {
    await bus.stop();
    await database.close();
    throw error;
  });
  const sender = sending.start();
  const retention = startRetention(database, options.keep, log);
  inbox.start();

  return {
    port,
    bus,
    database,
    async settled() {
      await bus.idle();
      await inbox.settled();
    },
    async stop() {
      await server.stop();
      await retention.stop();
      await sender.stop();
      await bus.stop();
      await inbox.stop();
      await database.close();
    },
  };
}

function groupsOf(bus: InProcessBus): GroupState[] {
  const receivers = Map.groupBy(bus.health().receivers, ({ group }) => group);
  return [...receivers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, all]) => ({
      group,
      members: 1,
      lag: all.reduce((sum, { queued, running }) => sum + queued + running, 0),
      // A message waits for milliseconds, or for the handler that runs.
      waitedMs: 0,
    }));
}
