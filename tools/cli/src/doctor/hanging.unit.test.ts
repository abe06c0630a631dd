// Servers that take what they are sent and never answer. Each costs its own time limit, here a fraction of the usual one.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examine } from './doctor.ts';
import { createNames } from './facts/names.ts';

const PATIENCE = 0.05;

const server = createServer(() => {});
const nameServer = createSocket('udp4');
let address: string;
let resolver: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  nameServer.bind(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(nameServer, 'listening')]);
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  resolver = `127.0.0.1:${nameServer.address().port}`;
});
afterAll(() => {
  server.close();
  nameServer.close();
});

it('hold up nothing but their own checks, and doctor ends', async () => {
  const env = {
    LANDFALL_DATA: '/nowhere',
    DATABASE_URL: `postgresql://landfall:opensesame@${address}/landfall`,
    REDIS_URL: `redis://:opensesame@${address}`,
    PUBLIC_URL: `http://${address}`,
  };
  const findings = await examine(env, { patience: PATIENCE });
  const stateOf = (name: string) => findings.filter(({ check }) => check === name).map(({ state }) => state);
  for (const check of ['database', 'redis', 'public url']) expect(stateOf(check), check).toEqual(['fail']);
  // It asks the database, and says no more than that.
  expect(stateOf('migrations')).toEqual(['skipped']);
  expect(stateOf('brokers')).toEqual(['skipped']);
  expect(JSON.stringify(findings)).not.toContain('opensesame');
});

it('are no proof that a name does not exist', async () => {
  const names = createNames(resolver, PATIENCE);
  const fault = expect.stringContaining('ETIMEOUT');
  expect(await names.resolve('api.shop.test')).toEqual({ v4: [], v6: [], fault });
  const error = await new Promise((resolve) => names.lookup('api.shop.test', {}, resolve));
  expect(error).toMatchObject({ message: fault });
});

it('without an address leave PUBLIC_URL unknown', async () => {
  const env = { LANDFALL_DATA: '/nowhere', PUBLIC_URL: 'https://api.shop.test', LINK_DOMAIN: 'links.test' };
  const findings = await examine(env, { resolver, patience: PATIENCE });
  expect(findings.find(({ check }) => check === 'public url')).toMatchObject({ state: 'fail' });
});
