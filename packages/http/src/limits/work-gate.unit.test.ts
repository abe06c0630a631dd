import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createWorkGate } from './work-gate.ts';

const stays = () => false;

it('runs two works at a time, lets 40 wait, and refuses more at once', async () => {
  const gate = createWorkGate();
  const held = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++running);
    await held.promise;
    running--;
    return 'done';
  };
  const all = Array.from({ length: 100 }, () => gate.run(stays, work));
  const refused = await Promise.allSettled(all.slice(42));
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'BUSY', more: { headers: { 'Retry-After': '1' } } });
  await expect.poll(() => running).toBe(2);
  held.resolve();
  expect(await Promise.all(all.slice(0, 42))).toEqual(Array(42).fill('done'));
  expect(most).toBe(2);
  expect(await gate.run(stays, () => 'again')).toBe('again');
});

it('does no work for clients who have left while they waited', async () => {
  const gate = createWorkGate();
  const held = Promise.withResolvers<void>();
  const first = [gate.run(stays, () => held.promise), gate.run(stays, () => held.promise)];
  let [left, done] = [false, 0];
  const waiting = Array.from({ length: 10 }, () =>
    gate.run(
      () => left,
      () => done++,
    ),
  );
  left = true;
  held.resolve();
  await Promise.all(first);
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
  expect(done).toBe(0);
});

it('lets the process accept a crowd of connections between two works', async () => {
  const gate = createWorkGate();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    socket.end();
  });
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: 20 }, () => connect(port).resume());
  await Promise.all(clients.map((client) => once(client, 'connect')));
  const seen: number[] = [];
  await Promise.all(Array.from({ length: 6 }, () => gate.run(stays, () => seen.push(accepted))));
  await Promise.all(clients.map((client) => client.closed || once(client, 'close')));
  server.close();
  expect(seen.at(-1)).toBe(20);
});
