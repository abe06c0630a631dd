import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { fromWhere } from '../bytes.ts';
import { firstMet, heard } from '../domain/device.ts';
import { APP, HOME, hashOf, id, matching, minutesAgo, NOON, SDK } from '../values.testing.ts';
import { type Contact, countOtherContacts, lockDevices, recordContacts, saveDevices } from './device-repository.ts';

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
  });

  it('know who was met first and last, in whatever order it is told', async () => {
    const told = [
      contact(minutesAgo(2)),
      contact(minutesAgo(3), minutesAgo(3)),
      contact(minutesAgo(1)),
      contact(minutesAgo(4)),
    ];
    const known = { ...contact(NOON), firstAt: minutesAgo(4), lastAt: minutesAgo(1), lastHeartbeatAt: minutesAgo(3) };
    await recordContacts(database, told);
    for (const one of told) expect([...(await recordContacts(database, [one])).values()]).toEqual([known]);
  });

  it('count the others of a day', async () => {
    await recordContacts(database, [
      contact(minutesAgo(1), null, 'phone'),
      contact(minutesAgo(23 * 60), null, 'phone 2'),
      contact(minutesAgo(24 * 60), null, 'phone 3'),
      contact(minutesAgo(-1), null, 'phone 4'),
    ]);
    const here = { ...PHONE, address: HOME, now: NOON };
    expect(await countOtherContacts(database, [here, { ...here, address: hashOf('elsewhere') }])).toEqual([1, 0]);
  });

  it('are locked: of heartbeats in parallel one is the first', async () => {
    const met = firstMet(PHONE.appId, PHONE.device, NOON);
    await lockDevices(database, [met]);
    const beats = Array.from({ length: 20 }, (_, i) => ({
      id: id(i),
      at: NOON,
      from: fromWhere(HOME, SDK),
      platform: null,
    }));
    const first = await Promise.all(
      beats.map((beat) =>
        database.transaction(async (tx) => {
          const [device] = (await lockDevices(tx, [met])).stored.values();
          const after = heard(device!, beat, matching());
          await saveDevices(tx, [after]);
          return after.firstHeartbeatId;
        }),
      ),
    );
    expect(new Set(first).size).toBe(1);
  });
});
