// Runs the gateway as its own process. Any number of them may run behind a load balancer.
import { areBrokersAway, assertBrokersAnswer, createKafkaBus } from '@landfall/bus/kafka';
import { createServer } from '@landfall/http';
import {
  asStartError,
  busCheck,
  calmAtStop,
  createHealth,
  createLogger,
  createMetrics,
  createObserver,
  kafkaOptions,
  type Running,
  startInOrder,
  startTracing,
  untilAnswers,
} from '@landfall/runtime';
import { scaledOutConfig } from './config.ts';
import { createGateway } from './gateway.ts';

export interface GatewayProcessOptions {
  /** The environment of the process. Only main.ts passes it. */
  env: NodeJS.ProcessEnv;
  /** For tests: another clock and another bus. */
  now?: () => number;
  createBus?: typeof createKafkaBus;
}

const service = 'gateway';

/** Starts the gateway. Resolves when it serves requests. At shutdown requests finish while replies still arrive. */
export const startGatewayProcess = (options: GatewayProcessOptions): Promise<Running> =>
  startInOrder((started) => start(options, started));

async function start(
  { env, now, createBus = createKafkaBus }: GatewayProcessOptions,
  started: Running[],
): Promise<void> {
  const config = scaledOutConfig(env);
  const kafka = kafkaOptions(config);
  const { instance } = kafka;
  const log = calmAtStop(createLogger({ service, level: config.LOG_LEVEL }).child({ instance }));
  const tracing = await startTracing({ service, instance, messaging: 'kafka', env, log });
  started.push({ stop: () => tracing.shutdown() });
  const metrics = createMetrics({ service, instance });
  const health = createHealth();

  const { connection } = kafka;
  const name = `Kafka at ${connection.brokers.join(', ')}`;
  await untilAnswers(() => assertBrokersAnswer(connection), { name, log, isAway: areBrokersAway });
  const bus = createBus({
    service,
    ...kafka,
    log,
    observer: createObserver(metrics, tracing),
    onFatal(err) {
      // The supervisor restarts the process. Meanwhile the load balancer uses another gateway.
      log.fatal({ err }, 'this process cannot continue and exits');
      process.exit(1);
    },
  });
  metrics.addBus(bus);
  health.add('bus', busCheck(bus));
  const server = createServer({ name: service, config: config.gateway, instance, log, health, metrics, tracing, now });
  const gateway = createGateway(server.parts, { config: config.gateway, bus });
  metrics.addHealth(health);
  // The gateway is ready only after its first join. Before that, replies cannot reach it.
  started.push(bus);
  await bus.start().catch(asStartError);
  const port = await server.start([gateway]);
  started.push(server);
  log.info({ port }, 'ready');
}
