import { connect, type Database } from '@landfall/db';
import { describe, expect, it } from 'vitest';
import { APP, eachWithQueue, START, someDevices, storeDevices, storeNotification } from './delivery/queue.testing.ts';
import { deletePushes, pushDeletions } from './retention.ts';
import { id } from './values.testing.ts';

const keep = { KEEP_PUSH_DAYS: 90, KEEP_AUDIT_DAYS: 400, KEEP_DEVICE_DAYS: 270 };
const daysAgo = (n: number) => new Date(START.getTime() - n * 86_400_000);
const daysLater = (n: number) => daysAgo(-n);

describe('deletePushes', () => {
  let database: Database;
  let url: string;
  eachWithQueue((queue) => {
    ({ database, url } = queue);
  });

  const count = async (table: string) => (await database.rows(`select 1 from push.${table}`)).length;
  const storeDeliveries = (notificationId: string, number: number) =>
    database.rows(
      `insert into push.deliveries (id, notification_id, app_id, device_id, kind, next_at)
       select gen_random_uuid(), $1::uuid, $2::uuid, gen_random_uuid(), 'fcm', now() from generate_series(1, $3::int)`,
      [notificationId, APP, number],
    );

  it('deletes what is past its time and nothing else: a notification counts from when it was to be sent', async () => {
    for (const sendAt of [START, daysLater(10), daysLater(80)]) {
      await storeDeliveries(await storeNotification(database, { sendAt }), 2);
    }
    await storeDevices(
      database,
      [0, 100].map((days, n) => ({ id: id(n + 1), lastSeen: daysLater(days) })),
    );
    await database.rows(
      `insert into push.opens (message_id, app_id, notification_id, at, known)
       select gen_random_uuid(), $1::uuid, n::text, at, false from unnest($2::timestamptz[]) with ordinality as o(at, n)`,
      [APP, [START, daysLater(290)]],
    );
    await database.rows(
      `insert into push.changes (message_id, app_id, action, subject_id, actor_kind, at, reply)
       select gen_random_uuid(), $1::uuid, 'SendPush', $1::uuid, 'person', at, '{}' from unnest($2::timestamptz[]) at`,
      [APP, [daysAgo(200), START]],
    );
    expect(await deletePushes(database, daysLater(95), keep)).toEqual({
      deliveries: 2,
      notifications: 1,
      opens: 1,
      pushChanges: 0,
      pushDevices: 0,
    });
    expect(await deletePushes(database, daysLater(300), keep)).toEqual({
      deliveries: 4,
      notifications: 2,
      opens: 0,
      pushChanges: 1,
      pushDevices: 1,
    });
    expect(await count('devices')).toBe(1);
  });

  it('deletes the empty row of a deleted device sooner', async () => {
    await storeDevices(database, someDevices(2));
    await database.rows(`update push.devices set drop_reason = 'deleted', dropped_at = last_seen where id = $1`, [
      someDevices(1)[0]!.id,
    ]);
    expect(await deletePushes(database, daysLater(29), keep)).toMatchObject({ pushDevices: 0 });
    expect(await deletePushes(database, daysLater(31), keep)).toMatchObject({ pushDevices: 1 });
    expect(await count('devices')).toBe(1);
  });

  it('deletes in chunks, no more than it may, and a notification only after its deliveries', async () => {
    await storeDeliveries(await storeNotification(database), 2_500);
    expect(await deletePushes(database, daysLater(100), keep, 2_200)).toMatchObject({
      deliveries: 2_200,
      notifications: 0,
    });
    expect(await deletePushes(database, daysLater(100), keep, 2_200)).toMatchObject({
      deliveries: 300,
      notifications: 1,
    });
  });

  it('leaves what is in use for the next time, and does not wait', async () => {
    await storeDeliveries(await storeNotification(database), 2);
    await storeDevices(database, someDevices(2));
    await database.transaction(async (tx) => {
      await tx.rows('select 1 from push.deliveries limit 1 for update');
      await tx.rows('select 1 from push.devices limit 1 for update');
      expect(await deletePushes(database, daysLater(300), keep)).toMatchObject({
        deliveries: 1,
        notifications: 0,
        pushDevices: 1,
      });
    });
    expect(await deletePushes(database, daysLater(300), keep)).toMatchObject({
      deliveries: 1,
      notifications: 1,
      pushDevices: 1,
    });
  });

  it('reads only what it deletes, and of devices one piece of the file', async () => {
    const one = connect({ url, max: 1 });
    await storeDeliveries(await storeNotification(database), 20_000);
    await storeDevices(database, someDevices(5_000));
    const plans: string[] = [];
    for (const [name, types, values] of [
      ['deliveries', 'int, uuid[]', `1000, array['${id(1)}']::uuid[]`],
      ['devices', 'int, timestamptz, tid, tid, timestamptz', `1000, now(), '(0,0)', '(2000,0)', now()`],
    ] as const) {
      await one.rows(`prepare ${name} (${types}) as ${pushDeletions[name]}`);
      plans.push(JSON.stringify(await one.rows(`explain (format json) execute ${name} (${values})`)));
    }
    await one.close();
    expect(plans[0]).toContain('deliveries_notification_id_device_id_idx');
    expect(plans[1]).toContain('Tid Range Scan');
    for (const plan of plans) expect(plan).not.toMatch(/Hash Join|Merge Join|Seq Scan/);
  });
});
