// A service that owns tables, as a process of its own: PostgreSQL, Kafka, and health on METRICS_PORT.
import { areBrokersAway, assertBrokersAnswer, createKafkaBus, type KafkaBus } from '@landfall/bus/kafka';
import { connect, type Database, isTransient } from '@landfall/db';
import {
  asStartError,
  busCheck,
  calmAtStop,
  createHealth,
  createLogger,
  createMetrics,
  createObserver,
  databaseHost,
  type Health,
  kafkaOptions,
  type Logger,
  type Metrics,
  type Running,
  run,
  serveHealth,
  startInOrder,
  startTracing,
  type Tracing,
  untilAnswers,
} from '@landfall/runtime';
import type { WorkerConfig } from './config.ts';
import { askOnce, databaseCheck, isAway, migrate } from './postgres.ts';

export interface WorkerParts<C extends WorkerConfig> {
  bus: KafkaBus;
  database: Database;
  config: C;
  log: Logger;
  metrics: Metrics;
  health: Health;
  tracing: Tracing;
}

export interface WorkerOptions<C extends WorkerConfig> {
  service: string;
  /** The process's environment, which only main.ts hands over. */
  env: NodeJS.ProcessEnv;
  config(env: NodeJS.ProcessEnv): C;
  register(parts: WorkerParts<C>): void;
  /** Further steps before messages are taken. Its result is stopped before anything else. */
  prepare?(parts: WorkerParts<C>): Promise<Running | undefined>;
  /** Work of its own once messages are taken. It is stopped before anything else. */
  go?(parts: WorkerParts<C>): Running | Promise<Running>;
  /** For tests: a bus with another clock. */
  createBus?: typeof createKafkaBus;
}

export interface Worker extends Running {
  metricsPort: number;
}

const CONNECTIONS = 6;

export const runWorker = <C extends WorkerConfig>(options: WorkerOptions<C>): Promise<void> =>
  run(() => startWorker(options));

/** Migrates, then starts: resolves once messages are taken. */
export async function startWorker<C extends WorkerConfig>(options: WorkerOptions<C>): Promise<Worker> {
  const { service, env, createBus = createKafkaBus } = options;
  const config = options.config(env);
  const kafka = kafkaOptions(config);
  const { instance } = kafka;
  const log = calmAtStop(createLogger({ service, level: config.LOG_LEVEL }).child({ instance }));
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  let metricsPort = 0;
  const { stop } = await startInOrder(async (started) => {
    const tracing = await startTracing({ service, instance, messaging: 'kafka', env, log });
    started.push({ stop: () => tracing.shutdown() });
    const metrics = createMetrics({ service, instance });
    const health = createHealth();
    health.add(service, () => ({ ok: state === 'ready', detail: state }));
    const { METRICS_PORT: port, METRICS_HOSTS: metricsHosts } = config;
    const served = await serveHealth({ port, metricsHosts, health, metrics, log });
    started.push(served);
    metricsPort = served.port;

    await untilAnswers(() => askOnce(config.DATABASE_URL), {
      name: `PostgreSQL at ${databaseHost(config.DATABASE_URL)} (DATABASE_URL)`,
      log,
      isAway,
    });
    await migrate(config.DATABASE_URL);
    const database = connect({
      url: config.DATABASE_URL,
      max: CONNECTIONS,
      onIdleError: (err) => log.warn({ err }, 'a database connection broke'),
    });
    started.push({ stop: () => database.close() });
    health.add('database', databaseCheck(database));

    const { connection } = kafka;
    const name = `Kafka at ${connection.brokers.join(', ')}`;
    await untilAnswers(() => assertBrokersAnswer(connection), { name, log, isAway: areBrokersAway });
    const bus = createBus({
      service,
      ...kafka,
      log,
      isTransient,
      observer: createObserver(metrics, tracing),
      onFatal(err) {
        // The supervisor starts the process again, and unfinished messages are delivered again.
        log.fatal({ err }, 'this process cannot continue and exits');
        process.exit(1);
      },
    });
    metrics.addBus(bus);
    health.add('bus', busCheck(bus));
    metrics.addHealth(health);
    const parts = { bus, database, config, log, metrics, health, tracing };
    options.register(parts);
    const prepared = await options.prepare?.(parts);
    started.push(bus);
    if (prepared) started.push(prepared);
    await bus.start().catch(asStartError);
    if (options.go) started.push(await options.go(parts));
    // Before anything stops, whoever asks is told.
    started.push({
      async stop() {
        state = 'stopping';
      },
    });
    state = 'ready';
    log.info({ metricsPort }, 'ready');
  });
  return { metricsPort, stop };
}
