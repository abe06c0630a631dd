// Runs every service in one process, on the in-process bus and one PostgreSQL.
import { accountService, ensureFirstOwner, type InitOwner, type Passwords, type Rules } from '@landfall/account';
import { analyticsWithInbox } from '@landfall/analytics';
import { attributionService } from '@landfall/attribution';
import { createInProcessBus, type InProcessBus, type InProcessOptions } from '@landfall/bus';
import { requests } from '@landfall/contracts';
import { connect, type Database, deadLetterSink, isTransient } from '@landfall/db';
import { createGateway, type GatewayConfig, type WebApp } from '@landfall/gateway';
import { linkService } from '@landfall/link';
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
import { groupsOf } from './groups.ts';
import { type Keep, startRetention } from './retention.ts';

export interface LandfallOptions {
  databaseUrl: string;
  gateway: GatewayConfig;
  webApp?: WebApp | undefined;
  keep: Keep;
  push: PushSettings;
  /** The owner to create before the server accepts requests. Ignored when the instance already has an owner. */
  firstOwner?: InitOwner | undefined;
  /** The limits for people. Default: the standard limits. */
  rules?: Rules | undefined;
  log: Logger;
  tracing?: Tracing;
  /** For tests: the clock, and the settings for redelivery of messages. */
  bus?: Pick<InProcessOptions, 'clock' | 'redelivery'>;
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
/**
 * While one batch waits for the disk, the bus prepares the next one. More lanes would only make the batches smaller.
 */
const LANES = 2;

/**
 * Runs the migrations, then starts all parts. `stop` stops the parts in reverse order and finishes the accepted work.
 */
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
    lanes: LANES,
    ...options.bus,
  });
  const sealer = createSealer(options.gateway.SEAL_SECRET);
  accountService({ bus, database, sealer, rules: options.rules, passwords: options.passwords });
  linkService({ bus, database });
  attributionService({ bus, database, log });
  const inbox = analyticsWithInbox({ bus, database, log, metrics });
  const sending = createSending({
    bus,
    database,
    sealer,
    log,
    metrics,
    settings: options.push,
    now: options.bus?.clock,
  });
  pushService({ bus, database, sealer, ...sending });
  metrics.addBus(bus);

  const health = createHealth();
  health.add('database', async () => {
    await database.rows('select 1');
    return { ok: true };
  });
  health.add('bus', busCheck(bus));
  const gateway = createGateway({
    config: options.gateway,
    webApp: options.webApp,
    bus,
    groups: async () => groupsOf(bus),
    deadLetters: deadLetterBox({ database, bus, log, now: () => new Date(options.bus?.clock?.() ?? Date.now()) }),
    log,
    health,
    metrics,
    tracing,
    now: options.bus?.clock,
  });
  const serve = async (): Promise<number> => {
    const now = new Date(options.bus?.clock?.() ?? Date.now());
    if (options.firstOwner) await ensureFirstOwner({ database, sealer }, options.firstOwner, now);
    await bus.start();
    return gateway.start();
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
      await gateway.stop();
      await retention.stop();
      await sender.stop();
      await bus.stop();
      await inbox.stop();
      await database.close();
    },
  };
}
