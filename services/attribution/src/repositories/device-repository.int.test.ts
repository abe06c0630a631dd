import { eachDatabase } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { firstMet, heard } from '../domain/device.ts';
import { fromWhere } from '../hashes.ts';
import { APP, HOME, hashOf, id, matching, minutesAgo, NOON, SDK } from '../values.testing.ts';
import { type Contact, contactRepository, seenOnce } from './contact-repository.ts';
import { deviceRepository } from './device-repository.ts';

describe('devices and contacts', () => {
  const fixture = eachDatabase(20);
  const contact = (minutes: number, from = 'phone'): Contact => {
    const device = { appId: APP, address: HOME, device: hashOf(from), platform: null, model: null };
    return { ...device, ...seenOnce(minutesAgo(minutes)) };
  };
  const record = (met: readonly Contact[]) => fixture.database.transaction((tx) => contactRepository(tx).record(met));
  const lastTimes = () => fixture.database.rows('select last_at from attribution.contacts');
  const countOthers = (address = HOME) => {
    const here = { appId: APP, device: hashOf('phone'), address, now: NOON };
    return fixture.database.transaction((tx) => contactRepository(tx).countOthers([here]));
  };

  it('know who was met first and last, in whatever order it is told', async () => {
    const heartbeat = { ...contact(3), lastHeartbeatAt: minutesAgo(3) };
    const told = [contact(2), heartbeat, contact(1), contact(4)];
    const known = { firstAt: minutesAgo(4), lastHeartbeatAt: minutesAgo(3) };
    await record(told);
    for (const one of told) expect([...(await record([one])).values()]).toMatchObject([known]);
    expect(await lastTimes()).toEqual([{ last_at: minutesAgo(1) }]);
  });

  it('have a last time that goes on in steps of a minute', async () => {
    for (const [at, last] of [
      [3, 3],
      [2.01, 3],
      [2, 2],
      [1.5, 2],
    ] as const) {
      await record([contact(at)]);
      expect(await lastTimes()).toEqual([{ last_at: minutesAgo(last) }]);
    }
  });

  it('count the others of a day', async () => {
    await record([contact(1), contact(23 * 60, 'phone 2'), contact(24 * 60, 'phone 3'), contact(-1, 'phone 4')]);
    expect(await countOthers()).toMatchObject([{ others: 1 }]);
    expect(await countOthers(hashOf('elsewhere'))).toMatchObject([{ others: 0 }]);
  });

  it('count who came there for the first time in a week, and devices that were never met before ten minutes ago', async () => {
    const week = 7 * 24 * 60;
    await record([
      contact(9, 'new phone'),
      contact(9, 'known phone'),
      contact(9, 'browser'),
      contact(11, 'phone of before'),
      contact(week - 1, 'phone of this week'),
      contact(week, 'phone of last week'),
      contact(1, 'phone of last week'),
    ]);
    const met = (phone: string, minutes: number) => firstMet(APP, hashOf(phone), minutesAgo(minutes));
    await fixture.database.transaction((tx) =>
      deviceRepository(tx).lock([met('new phone', 9), met('known phone', 11), met('phone of before', 11)]),
    );
    expect(await countOthers()).toEqual([{ others: 5, newcomers: 5, newDevices: 1 }]);
  });

  it('are locked: of heartbeats in parallel one is the first', async () => {
    const met = firstMet(APP, hashOf('phone'), NOON);
    await fixture.database.transaction((tx) => deviceRepository(tx).lock([met]));
    const from = fromWhere(HOME, SDK);
    const beat = (n: number) =>
      fixture.database.transaction(async (tx) => {
        const devices = deviceRepository(tx);
        const [device] = (await devices.lock([met])).stored.values();
        const after = heard(device!, { id: id(n), at: NOON, from, platform: null }, matching());
        devices.save([after]);
        return after.firstHeartbeatId;
      });
    const first = await Promise.all(Array.from({ length: 20 }, (_, n) => beat(n)));
    expect(new Set(first).size).toBe(1);
  });
});
