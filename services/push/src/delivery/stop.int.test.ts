// A notification that is stopped while workers send it.
import { PushFailed, PushSent } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Clock } from '@landfall/testkit';
import { expect, it } from 'vitest';
import type { PushProvider } from '../providers/provider.ts';
import { notificationRepository } from '../repositories/notification-repository.ts';
import {
  APP,
  countsOf,
  deliveriesOf,
  eachWithQueue,
  type Queue,
  SENT,
  scripted,
  someDevices,
  storeAll,
  storeDevices,
  storeNotification,
  until,
} from './queue.testing.ts';

let database: Database;
let clock: Clock;
let start: Queue['start'];
let told: Set<string>;

eachWithQueue((queue) => {
  ({ database, clock, start } = queue);
  told = new Set();
  for (const event of [PushSent, PushFailed])
    queue.bus.listen('test', event, async (batch) => {
      for (const { context } of batch) told.add(`${event.name} ${context.id}`);
    });
});

/** Starts a worker. Returns a function that counts how often the worker has read which notifications are stopped. */
function startCounted(provider: PushProvider): () => number {
  let looks = 0;
  const rows: Database['rows'] = (text, values, planned) => {
    if (text.includes('where stopping')) looks++;
    return database.rows(text, values, planned);
  };
  start(provider, { database: { ...database, rows } });
  return () => looks;
}

async function stop(id: string): Promise<void> {
  const notifications = notificationRepository(database);
  await database.prisma.$transaction(async (tx) => {
    await notifications.stop(tx, (await notifications.lock(tx, id))!, new Date(clock()));
  });
}

const tally = async (id: string) => {
  const rows = (await deliveriesOf(database)).filter((row) => row.notification_id === id);
  return Object.fromEntries(Object.entries(Object.groupBy(rows, ({ state }) => state)).map(([k, v]) => [k, v!.length]));
};
const isStopping = async (id: string) =>
  (await database.rows<{ stopping: boolean }>('select stopping from push.notifications where id = $1', [id]))[0]!
    .stopping;

it('goes to whoever it was on its way to, and to nobody else, whichever worker had them', async () => {
  const id = await storeAll(database, someDevices(100), { targeted: 100 });
  const gate = Promise.withResolvers<typeof SENT>();
  const workers = [scripted(() => gate.promise, 4), scripted(() => gate.promise, 4)];
  const looks = workers.map(({ provider }) => startCounted(provider));
  const pushed = () => workers.reduce((sum, { pushes }) => sum + pushes.length, 0);
  await until(() => expect(pushed()).toBe(8));
  await stop(id);
  // The next read may have begun before the stop. The read after it began after the stop, and has ended when a third
  // read begins.
  const before = looks.map((count) => count());
  await until(() => expect(looks.every((count, at) => count() >= before[at]! + 3)).toBe(true));
  // Deliveries that no worker holds end, although the other deliveries do not.
  await until(async () => expect((await tally(id)).stopped).toBeGreaterThan(50));
  expect(await tally(id)).not.toHaveProperty('sent');
  gate.resolve(SENT);
  await until(async () => expect(await tally(id)).toEqual({ sent: 8, stopped: 92 }));
  clock.advance({ minutes: 1 });
  await until(async () => expect(await isStopping(id)).toBe(false));
  expect(pushed()).toBe(8);
  expect(await countsOf(database, id)).toMatchObject({ sent: 8, failed: 0, unknown: 0, targeted: 100 });
  // A worker that was slow to mark what it published has left it to a sweep, which publishes it with the same id.
  const names = () => [...told].map((event) => event.split(' ')[0]);
  await until(() => expect(names()).toEqual(Array.from({ length: 8 }, () => 'PushSent')));
});

it('is expanded no further, and does not hold up the next one', async () => {
  const id = await storeAll(database, someDevices(30), { targeted: 30 });
  await stop(id);
  const { provider, pushes } = scripted();
  start(provider);
  const next = await storeNotification(database, { targeted: 30 });
  await until(async () => expect(await tally(next)).toEqual({ sent: 30 }));
  expect(await tally(id)).toEqual({});
  expect(pushes.filter(({ notificationId }) => notificationId === id)).toEqual([]);
});

it('ends also in a lane that is paused, and what nobody knows of is unknown', async () => {
  const id = await storeAll(database, someDevices(3), { targeted: 3 });
  const { provider, pushes } = scripted((_, nth) => (nth === 1 ? { kind: 'unknown', reason: 'timeout' } : SENT), 1);
  start(provider);
  await until(async () => expect((await deliveriesOf(database)).filter((row) => row.in_doubt)).toHaveLength(3));
  await database.rows('update push.providers set paused_at = now() where app_id = $1', [APP]);
  await storeDevices(database, someDevices(5).slice(3));
  const waiting = await storeNotification(database, { targeted: 5 });
  await until(async () => expect(await tally(waiting)).toEqual({ queued: 5 }));
  // A worker that ends the second notification has also read that the first one is stopped.
  await stop(id);
  await stop(waiting);
  await until(async () => expect(await tally(waiting)).toEqual({ stopped: 5 }));
  await database.rows('update push.providers set paused_at = null where app_id = $1', [APP]);
  clock.advance({ minutes: 1 });
  await until(async () => expect(await tally(id)).toEqual({ unknown: 3 }));
  expect(pushes).toHaveLength(3);
});
