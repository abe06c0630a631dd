import { createInProcessBus, each } from '@landfall/bus';
import { FindKey, type ReplyOf } from '@landfall/contracts';
import { anApp } from '@landfall/contracts/testing';
import { sha256 } from '@landfall/http';
import { testLogger } from '@landfall/testkit';
import { afterEach, expect, test } from 'vitest';
import { createLookups } from '../lookups/lookups.ts';
import { authenticator } from './authenticate.ts';

const KEY = `ol_${'a'.repeat(32)}`;
const headers = { 'x-service-sdk-key': KEY };
const id = '3e0b7c44-5a9d-4c1b-8a77-90d1f2e3b4c5';
let stop: () => Promise<void>;
afterEach(() => stop());

/** Starts with a bus whose account service delays its answers and counts its requests. */
async function start(known: Partial<ReplyOf<typeof FindKey>> | null) {
  const bus = createInProcessBus({ log: testLogger(), isTransient: () => false });
  const gate = Promise.withResolvers<void>();
  const asked: string[] = [];
  bus.answer(
    FindKey,
    each(async ({ hash }) => {
      asked.push(hash);
      await gate.promise;
      if (!known) return { refusal: { code: 'KEY_UNKNOWN', facts: {} } };
      return { reply: { keyId: id, kind: 'server', expiresAt: null, app: anApp(), identitySecrets: [], ...known } };
    }),
  );
  const lookups = createLookups(bus);
  await bus.start();
  let now = new Date('2026-11-21T15:04:05.000Z');
  const used: string[] = [];
  const keys = authenticator(
    lookups,
    Object.keys(headers),
    ({ keyId }) => used.push(keyId),
    () => now,
  );
  stop = () => bus.stop();
  return { gate, asked, used, keys, at: (time: string) => (now = new Date(time)) };
}

test('a server key is known after its look-up; calls that come meanwhile wait for it and start no other', async () => {
  const { gate, asked, used, keys } = await start({});
  expect(keys.serverKeyId(headers)).toBeUndefined();
  expect(keys.serverKeyIdSoon(headers)).toBeNull();
  expect(asked).toEqual([]);
  const meeting = keys.authenticate('any-key', headers);
  const soon = keys.serverKeyIdSoon(headers);
  expect(keys.serverKeyIdSoon({ 'x-service-sdk-key': `ol_${'b'.repeat(32)}` })).toBeNull();
  expect(keys.serverKeyId(headers)).toBeUndefined();
  gate.resolve();
  expect(await soon).toBe(id);
  expect(await meeting).toMatchObject({ keyId: id });
  expect(keys.serverKeyId(headers)).toBe(id);
  expect([asked, used]).toEqual([[sha256(KEY)], [id]]);
});

test.each([
  ['nobody knows', null, 'UNAUTHORIZED'],
  ['is for apps', { kind: 'mobile' } as const, undefined],
  ['has expired', { expiresAt: '2026-11-21T15:04:05.000Z' }, 'UNAUTHORIZED'],
])('a key that %s is never known as a server key', async (_, known, code) => {
  const { gate, used, keys } = await start(known);
  gate.resolve();
  const meeting = keys.authenticate('any-key', headers);
  const soon = keys.serverKeyIdSoon(headers);
  if (code) await expect(meeting).rejects.toMatchObject({ code });
  else await meeting;
  expect([await soon, keys.serverKeyId(headers)]).toEqual([undefined, undefined]);
  expect(used).toEqual(code ? [] : [id]);
});

test('a server key is looked up once for all calls that were counted before', async () => {
  const { gate, asked, used, keys } = await start({});
  gate.resolve();
  const meeting = [keys.meetServerKey(headers), keys.meetServerKey(headers), keys.serverKeyIdSoon(headers)];
  expect(await Promise.all(meeting)).toEqual([id, id, id]);
  expect(await keys.meetServerKey({})).toBeUndefined();
  // The key is used after its call is admitted.
  expect([asked, used]).toEqual([[sha256(KEY)], []]);
});

test('an expired server key is forgotten at its next use, and refused', async () => {
  const { gate, keys, at } = await start({ expiresAt: '2026-11-21T16:00:00.000Z' });
  gate.resolve();
  await keys.authenticate('any-key', headers);
  at('2026-11-21T15:59:59.999Z');
  expect(await keys.authenticate('optional-key', headers)).toMatchObject({ keyId: id });
  at('2026-11-21T16:00:00.000Z');
  expect(await keys.authenticate('optional-key', headers)).toBeNull();
  expect(keys.serverKeyId(headers)).toBeUndefined();
});

test('a route for apps refuses a server key', async () => {
  const { gate, used, keys } = await start({});
  gate.resolve();
  await expect(keys.authenticate('key', headers)).rejects.toMatchObject({ code: 'MOBILE_KEY_NEEDED' });
  expect(used).toEqual([]);
  expect(await keys.authenticate('server-key', headers)).toMatchObject({ keyId: id });
});
