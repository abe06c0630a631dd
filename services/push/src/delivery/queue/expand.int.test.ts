import type { PushTarget } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { testLogger } from '@landfall/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashOf, id } from '../../values.testing.ts';
import {
  APP,
  countsOf,
  deliveriesOf,
  eachWithQueue,
  OTHER_APP,
  START,
  storeDevices,
  storeNotification,
} from '../queue.testing.ts';
import { defaultSettings } from '../settings.ts';
import { expandDue } from './expand.ts';
import { type Expanding, expansionRepository } from './expansion-repository.ts';

let database: Database;
eachWithQueue((queue) => {
  database = queue.database;
});

const daysAgo = (n: number) => new Date(START.getTime() - n * 86_400_000);
const expand = (pageSize = 2, made = () => {}) =>
  expandDue({
    ...{ database, log: testLogger(), now: () => START, made, stopped: () => false },
    settings: { ...defaultSettings, pageSize },
  });
const devicesOf = async (notificationId: string) =>
  (await deliveriesOf(database))
    .filter((row) => row.notification_id === notificationId)
    .map((row) => Number.parseInt(row.device_id.slice(-4), 16));

describe('whom a notification is for', () => {
  beforeEach(() =>
    storeDevices(database, [
      { id: id(1), email: 'ada@landfall.test', lastSeen: daysAgo(1) },
      { id: id(2), email: 'ada@landfall.test', platform: 'ios', lastSeen: daysAgo(40) },
      { id: id(3), email: 'bob@landfall.test', platform: 'ios', lastSeen: daysAgo(3) },
      { id: id(4), platform: 'ios', kind: 'apns', lastSeen: daysAgo(3) },
      { id: id(5), email: 'ada@landfall.test', droppedAt: START },
      { id: id(6), appId: OTHER_APP, email: 'ada@landfall.test' },
    ]),
  );

  const ada = hashOf('ada@landfall.test');
  const bob = hashOf('bob@landfall.test');
  const token = (n: number) => hashOf(`token ${id(n)}`);
  it.each<[string, Partial<PushTarget>, number[]]>([
    ['everybody', {}, [1, 2, 3, 4]],
    ['a platform', { platform: 'ios' }, [2, 3, 4]],
    ['a person', { emails: [ada] }, [1, 2]],
    ['two, one of them twice', { emails: [bob, ada, bob] }, [1, 2, 3]],
    ['devices', { tokens: [token(3), token(1), token(5), token(6), token(9)] }, [1, 3]],
    ['who was here lately', { seenWithinDays: 7 }, [1, 3, 4]],
    ['all of it at once', { platform: 'ios', emails: [ada, bob], seenWithinDays: 7 }, [3]],
    ['devices of a person', { tokens: [token(1), token(3), token(4)], emails: [ada] }, [1]],
    ['nobody', { emails: [hashOf('eve@landfall.test')] }, []],
  ])('%s', async (_, target, expected) => {
    const notificationId = await storeNotification(database, { target, targeted: 99 });
    await expand();
    expect(await devicesOf(notificationId)).toEqual(expected);
    expect(await countsOf(database, notificationId)).toMatchObject({ targeted: expected.length, expanded_at: START });
  });

  it('each lane is that of the token, not of the platform', async () => {
    await storeNotification(database);
    await expand();
    const kinds = await database.rows('select kind from push.deliveries where app_id = $1 order by device_id', [APP]);
    expect(kinds).toEqual([{ kind: 'fcm' }, { kind: 'fcm' }, { kind: 'fcm' }, { kind: 'apns' }]);
  });

  it('not before its time, and not when it was cancelled', async () => {
    await storeNotification(database, { sendAt: new Date(START.getTime() + 1) });
    const cancelled = await storeNotification(database);
    await database.rows('update push.notifications set cancelled_at = $1 where id = $2', [START, cancelled]);
    await expand();
    expect(await deliveriesOf(database)).toEqual([]);
  });

  it('one of millions of devices holds up none of a few', async () => {
    const large = await storeNotification(database, { sendAt: daysAgo(0.1) });
    const small = await storeNotification(database, { target: { emails: [bob] } });
    let pages = 0;
    let smallAfter = 0;
    const seen: Promise<void>[] = [];
    await expand(1, () => {
      const page = ++pages;
      seen.push(
        devicesOf(small).then((devices) => {
          if (devices.length > 0) smallAfter ||= page;
        }),
      );
    });
    await Promise.all(seen);
    expect(smallAfter).toBeLessThan(5);
    expect(await devicesOf(large)).toHaveLength(4);
  });

  it('of two who expand the same, one moves on', async () => {
    const repository = expansionRepository(database);
    await storeNotification(database);
    const [one] = (await repository.takeDue(START, START, 1)) as [Expanding];
    const page = await repository.readPage(one, 2);
    const until = new Date(START.getTime() + 1);
    expect(await repository.writePage(one, page, START, until)).toMatchObject({ to: id(2), made: 2 });
    expect(await repository.writePage(one, page, START, until)).toBeNull();
    expect(await deliveriesOf(database)).toHaveLength(2);
  });

  it('one that is cancelled while it is looked at makes nothing', async () => {
    const repository = expansionRepository(database);
    const notificationId = await storeNotification(database);
    const [one] = (await repository.takeDue(START, START, 1)) as [Expanding];
    const page = await repository.readPage(one, 2);
    await database.rows('update push.notifications set cancelled_at = $1 where id = $2', [START, notificationId]);
    expect(await repository.writePage(one, page, START, START)).toBeNull();
    expect(await deliveriesOf(database)).toEqual([]);
  });
});
