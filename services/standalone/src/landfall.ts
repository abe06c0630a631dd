// Every service in one process, on the in-process bus and one PostgreSQL.
import { accountService } from '@landfall/account';
import { attributionService } from '@landfall/attribution';
import { createInProcessBus, type InProcessBus, type InProcessOptions } from '@landfall/bus';
import { requests } from '@landfall/contracts';
import { applyMigrations, connect, type Database, deadLetterSink, isTransient } from '@landfall/db';
import { createGateway, type GatewayConfig } from '@landfall/gateway';
import { linkService } from '@landfall/link';
import {
  busCheck,
  createHealth,
  createMetrics,
  createObserver,
  type Logger,
  noTracing,
  type Tracing,
} from '@landfall/runtime';
import { type Keep, startRetention } from './retention.ts';

export interface LandfallOptions {
  databaseUrl: string;
  gateway: GatewayConfig;
  keep: Keep;
  log: Logger;
  tracing?: Tracing;
  /** For tests: the clock, and how messages are redelivered. */
  bus?: Pick<InProcessOptions, 'clock' | 'redelivery'>;
}

export interface Landfall {
  port: number;
  bus: InProcessBus;
  database: Database;
  stop(): Promise<void>;
}

const CONNECTIONS = 16;
/** While one batch waits for the disk, the next one is made ready. More would only make batches smaller. */
const LANES = 2;

/** Migrates, then starts everything. Stops in reverse order; what was taken is finished. */
export async function startLandfall(options: LandfallOptions): Promise<Landfall> {
  const { log, tracing = noTracing } = options;
  const metrics = createMetrics({ service: 'landfall' });
  await applyMigrations(options.databaseUrl);
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
  accountService({ bus, database });
  linkService({ bus, database });
  attributionService({ bus, database, log });
  metrics.addBus(() => bus.health());

  const health = createHealth();
  health.add('database', async () => {
    await database.rows('select 1');
    return { ok: true };
  });
  health.add('bus', busCheck(bus));
  const gateway = createGateway({
    config: options.gateway,
    bus,
    log,
    health,
    metrics,
    tracing,
    now: options.bus?.clock,
  });
  await bus.start();
  const port = await gateway.start().catch(async (error: unknown) => {
    await bus.stop();
    await database.close();
    throw error;
  });
  const retention = startRetention(database, options.keep, log);

  return {
    port,
    bus,
    database,
    async stop() {
      await gateway.stop();
      await retention.stop();
      await bus.stop();
      await database.close();
    },
  };
}
