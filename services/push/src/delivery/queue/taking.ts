// Takes deliveries from the queue under a lease, and prolongs the leases of those that are not done.
import type { GoodPayloads } from '../good-payloads.ts';
import { type Held, laneKey } from '../lane.ts';
import type { Shared } from '../settings.ts';
import type { Wanted } from '../shares.ts';
import { type DueNotification, queueRepository } from './queue-repository.ts';

/** The number of notifications in the cache. A message has a few kilobytes. */
const KEPT = 500;

export function createTaking({ database, log, now, settings, payloads }: Shared & { payloads: GoodPayloads }) {
  const repository = queueRepository(database);
  const { leaseMs } = settings;
  /** Each notification is read once for many deliveries. One that is being sent does not change any more. */
  const notifications = new Map<string, DueNotification>();

  async function readNotifications(ids: ReadonlySet<string>): Promise<void> {
    const missing = [...ids].filter((id) => !notifications.has(id));
    if (missing.length === 0) return;
    for (const one of await repository.readNotifications(missing)) notifications.set(one.id, one);
  }

  /** Removes the oldest entries. A notification that is needed again is read again. */
  function forgetOldest(): void {
    for (const id of notifications.keys()) {
      if (notifications.size <= KEPT) return;
      notifications.delete(id);
    }
  }

  return {
    /** Returns the taken deliveries by the key of their lane. Rejects when the database does not answer. */
    async take(wanted: readonly Wanted[]): Promise<Map<string, Held[]>> {
      const at = now();
      const until = new Date(at.getTime() + leaseMs);
      const shares = wanted.map(({ lane: { appId, kind }, most }) => ({ appId, kind, most }));
      const taken = await repository.takeDue(shares, at, until);
      await readNotifications(new Set(taken.map((one) => one.notificationId)));
      const all = taken.map((one): Held => {
        const notification = notifications.get(one.notificationId) ?? null;
        return { taken: one, notification, leasedUntil: until.getTime(), begunAt: null, over: false };
      });
      forgetOldest();
      await payloads.learn(all);
      return Map.groupBy(all, (one) => laneKey(one.taken));
    },

    /** Prolongs leases that will soon end. Never rejects. */
    async prolong(held: Iterable<Held>): Promise<void> {
      const at = now().getTime();
      const late = [...held].filter((one) => !one.over && one.leasedUntil - at < (leaseMs * 2) / 3);
      if (late.length === 0) return;
      const until = new Date(at + leaseMs);
      try {
        const taken = late.map((one) => one.taken);
        await repository.prolong(taken, until);
        for (const one of late) one.leasedUntil = until.getTime();
      } catch (err) {
        log.warn({ err }, 'the leases of pushes in flight could not be prolonged: they are retried');
      }
    },
  };
}
