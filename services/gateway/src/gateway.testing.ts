// A gateway for tests: its server, on a bus whose services the test makes up.
import type { Bus } from '@landfall/bus';
import { createServer } from '@landfall/http';
import { createHealth, createMetrics, type Metrics, type Tracing } from '@landfall/runtime';
import { testLogger } from '@landfall/testkit';
import { gatewayConfig } from './config.ts';
import { createGateway } from './gateway.ts';

interface Options {
  bus: Bus & { start(): Promise<void> };
  env?: NodeJS.ProcessEnv;
  metrics?: Metrics;
  tracing?: Tracing;
}

export async function startGateway({ bus, env, metrics = createMetrics({ service: 'gateway' }), tracing }: Options) {
  const config = gatewayConfig({
    PORT: '0',
    PUBLIC_URL: 'http://api.test',
    LINK_DOMAIN: 'links.test',
    HASH_SECRET: 'a secret of thirty-two characters',
    SEAL_SECRET: 'another of thirty-two characters',
    ...env,
  });
  const health = createHealth();
  metrics.addHealth(health);
  const server = createServer({ name: 'gateway', config, log: testLogger(), health, metrics, tracing });
  const gateway = createGateway(server.parts, { config, bus });
  await bus.start();
  const port = await server.start([gateway]);
  return { port, metrics, stop: () => server.stop() };
}
