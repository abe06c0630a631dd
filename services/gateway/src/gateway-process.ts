// The gateway as a process of its own: any number of them behind a load balancer.
import { createKafkaBus } from '@landfall/bus/kafka';
import {
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
} from '@landfall/runtime';
import { createGateway } from './gateway.ts';
import { scaledOutConfig } from './scaled-out-config.ts';
import { keepOfferingSetUp } from './set-up.ts';

export interface GatewayProcessOptions {
  /** The process's environment, which only main.ts hands over. */
  env: NodeJS.ProcessEnv;
  /** For tests: another clock, and a bus with it. */
  now?: () => number;
  createBus?: typeof createKafkaBus;
}

const service = 'gateway';

/** Resolves once it serves. Requests are finished, in the end, while replies still arrive. */
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

  const bus = createBus({
    service,
    ...kafka,
    log,
    observer: createObserver(metrics, tracing),
    onFatal(err) {
      // The supervisor starts the process again; meanwhile the balancer asks another gateway.
      log.fatal({ err }, 'this process cannot go on, and ends');
      process.exit(1);
    },
  });
  metrics.addBus(() => bus.health());
  health.add('bus', busCheck(bus));
  const gateway = createGateway({ config: config.gateway, instance, bus, log, health, metrics, tracing, now });
  // Ready from the first join on: before it, replies would have nowhere to go.
  started.push(bus);
  await bus.start();
  const port = await gateway.start();
  started.push(gateway);
  log.info({ port }, 'ready');
  // The set-up code is shown to the person who starts the instance, and never logged.
  const say = (lines: string) => void process.stderr.write(`${lines}\n`);
  started.push(keepOfferingSetUp(bus, config.gateway.PUBLIC_URL, log, say));
}
