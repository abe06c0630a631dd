// Runs the gateway as a process of its own: any number of them behind a load balancer.
import { createKafkaBus } from '@landfall/bus';
import {
  busCheck,
  createHealth,
  createLogger,
  createMetrics,
  createObserver,
  kafkaOptions,
  type Running,
  run,
  startTracing,
} from '@landfall/runtime';
import { createGateway } from './gateway.ts';
import { scaledOutConfig } from './scaled-out-config.ts';

const service = 'gateway';

await run(async () => {
  // In reverse order of this list everything is stopped: requests are finished while replies still arrive.
  const started: Running[] = [];
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    await start(started);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
});

async function start(started: Running[]): Promise<void> {
  const config = scaledOutConfig(process.env);
  const kafka = kafkaOptions(config);
  const { instance } = kafka;
  const log = createLogger({ service, level: config.LOG_LEVEL }).child({ instance });
  const tracing = await startTracing({ service, instance, messaging: 'kafka', env: process.env, log });
  started.push({ stop: () => tracing.shutdown() });
  const metrics = createMetrics({ service, instance });
  const health = createHealth();

  const bus = createKafkaBus({
    service,
    ...kafka,
    log,
    observer: createObserver(metrics, tracing),
    onFatal(err) {
      // Whoever watches the process starts it again; the balancer asks another gateway meanwhile.
      log.fatal({ err }, 'this process cannot go on, and ends');
      process.exit(1);
    },
  });
  metrics.addBus(() => bus.health());
  health.add('bus', busCheck(bus));
  const gateway = createGateway({ config: config.gateway, bus, log, health, metrics, tracing });
  // Ready from the first join on: before it, replies would have nowhere to go.
  started.push(bus);
  await bus.start();
  const port = await gateway.start();
  started.push(gateway);
  log.info({ port }, 'ready');
}
