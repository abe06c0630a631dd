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
    expect(await database.transaction((tx) => contactRepository(tx).countOthers(at))).toMatchObject([
      { others: 1 },
      { others: 0 },
    ]);
  });

  it('count who came there for the first time in a week, and devices that were never met before ten minutes ago', async () => {
    const week = 7 * 24 * 60;
    await record([
      contact(minutesAgo(9), null, 'new phone'),
      contact(minutesAgo(9), null, 'known phone'),
      contact(minutesAgo(9), null, 'browser'),
      contact(minutesAgo(11), null, 'phone of before'),
      contact(minutesAgo(week - 1), null, 'phone of this week'),
      contact(minutesAgo(week), null, 'phone of last week'),
      contact(minutesAgo(1), null, 'phone of last week'),
    ]);
    const met = (phone: string, minutes: number) => firstMet(PHONE.appId, hashOf(phone), minutesAgo(minutes));
    await database.transaction((tx) =>
      deviceRepository(tx).lock([met('new phone', 9), met('known phone', 11), met('phone of before', 11)]),
    );
    const here = { ...PHONE, address: HOME, now: NOON };
    expect(await database.transaction((tx) => contactRepository(tx).countOthers([here]))).toEqual([
      { others: 5, newcomers: 5, newDevices: 1 },
    ]);
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
