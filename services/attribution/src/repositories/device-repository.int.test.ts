import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { fromWhere } from '../bytes.ts';
import { firstMet, heard } from '../domain/device.ts';
import { APP, HOME, hashOf, id, matching, minutesAgo, NOON, SDK } from '../values.testing.ts';
import { type Contact, contactRepository } from './contact-repository.ts';
import { deviceRepository } from './device-repository.ts';

describe('devices and contacts', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    testDatabase = await createTestDatabase(inject('databaseServerUrl'));
    database = connect({ url: testDatabase.url, max: 20 });
  });

  afterEach(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const PHONE = { appId: APP, device: hashOf('phone') };
  const contact = (at: Date, lastHeartbeatAt: Date | null = null, from = 'phone'): Contact => ({
    appId: APP,
    address: HOME,
    device: hashOf(from),
    firstAt: at,
    lastAt: at,
    lastHeartbeatAt,
    platform: null,
    model: null,
  });

  const record = (met: readonly Contact[]) => database.transaction((tx) => contactRepository(tx).record(met));

  it('know who was met first and last, in whatever order it is told', async () => {
    const told = [
      contact(minutesAgo(2)),
      contact(minutesAgo(3), minutesAgo(3)),
      contact(minutesAgo(1)),
      contact(minutesAgo(4)),
    ];
    const known = { firstAt: minutesAgo(4), lastHeartbeatAt: minutesAgo(3) };
    await record(told);
    for (const one of told) {
      expect([...(await record([one])).values()]).toEqual([known]);
      const rows = await database.rows('select last_at from attribution.contacts');
      expect(rows).toEqual([{ last_at: minutesAgo(1) }]);
    }
  });

  it('count the others of a day', async () => {
    await record([
      contact(minutesAgo(1), null, 'phone'),
      contact(minutesAgo(23 * 60), null, 'phone 2'),
      contact(minutesAgo(24 * 60), null, 'phone 3'),
      contact(minutesAgo(-1), null, 'phone 4'),
    ]);
    const here = { ...PHONE, address: HOME, now: NOON };
    const at = [here, { ...here, address: hashOf('elsewhere') }];
    expect(await database.transaction((tx) => contactRepository(tx).countOthers(at))).toEqual([1, 0]);
  });

  it('are locked: of heartbeats in parallel one is the first', async () => {
    const met = firstMet(PHONE.appId, PHONE.device, NOON);
    await database.transaction((tx) => deviceRepository(tx).lock([met]));
    const beats = Array.from({ length: 20 }, (_, i) => ({
      id: id(i),
      at: NOON,
      from: fromWhere(HOME, SDK),
      platform: null,
    }));
    const first = await Promise.all(
      beats.map((beat) =>
        database.transaction(async (tx) => {
          const devices = deviceRepository(tx);
          const [device] = (await devices.lock([met])).stored.values();
          const after = heard(device!, beat, matching());
          devices.save([after]);
          return after.firstHeartbeatId;
        }),
      ),
    );
    expect(new Set(first).size).toBe(1);
  });
});
