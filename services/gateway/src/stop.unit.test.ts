// A gateway that stops behind a load balancer becomes not ready, and continues until the load balancer has noticed.
import { createInProcessBus } from '@landfall/bus';
import { createHealth, createMetrics } from '@landfall/runtime';
import { send, testLogger } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { gatewayConfig } from './config.ts';
import { noDeadLetters } from './dead-letters.testing.ts';
import { createGateway } from './gateway.ts';

async function start(DRAIN_SECONDS: string) {
  const log = testLogger();
  const config = gatewayConfig({
    PORT: '0',
    HASH_SECRET: 'a secret of thirty-two characters',
    SEAL_SECRET: 'another of thirty-two characters',
    DRAIN_SECONDS,
  });
  const [bus, metrics] = [createInProcessBus({ log }), createMetrics({ service: 'gateway' })];
  const gateway = createGateway({
    config,
    bus,
    deadLetters: noDeadLetters,
    groups: async () => [],
    log,
    health: createHealth(),
    metrics,
  });
  await bus.start();
  return { gateway, port: await gateway.start() };
}

it('accepts connections for DRAIN_SECONDS more, and is not ready', async () => {
  const { gateway, port } = await start('1');
  expect(await send(port, { path: '/readyz' })).toMatchObject({ status: 200 });
  const began = performance.now();
  const stopped = gateway.stop();
  expect(await send(port, { path: '/readyz' })).toMatchObject({
    status: 503,
    json: { checks: { gateway: { ok: false, detail: 'stopping' } } },
  });
  expect(await send(port, { path: '/livez' })).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await stopped;
  expect(performance.now() - began).toBeGreaterThan(990);
  await expect(send(port, { path: '/livez' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('stops at once without a load balancer', async () => {
  const { gateway, port } = await start('0');
  const began = performance.now();
  await gateway.stop();
  expect(performance.now() - began).toBeLessThan(900);
  await expect(send(port, { path: '/livez' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
