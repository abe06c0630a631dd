// A gateway that stops behind a load balancer becomes not ready, and continues until the load balancer has noticed.
import { createInProcessBus } from '@landfall/bus';
import { send, testLogger } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { startGateway } from './gateway.testing.ts';

const start = (DRAIN_SECONDS: string) =>
  startGateway({ bus: createInProcessBus({ log: testLogger() }), env: { DRAIN_SECONDS } });

it('accepts connections for DRAIN_SECONDS more, and is not ready', async () => {
  const { stop, port } = await start('1');
  expect(await send(port, { path: '/readyz' })).toMatchObject({ status: 200 });
  const began = performance.now();
  const stopped = stop();
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
  const { stop, port } = await start('0');
  const began = performance.now();
  await stop();
  expect(performance.now() - began).toBeLessThan(900);
  await expect(send(port, { path: '/livez' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
