// Takes deliveries from the queue under a lease, and prolongs the leases of those that are not done.
import type { Log } from '@landfall/bus';
import type { Database } from '@landfall/db';
import type { GoodPayloads } from '../good-payloads.ts';
import { type Held, laneKey } from '../lane.ts';
import type { DeliverySettings } from '../settings.ts';
import type { Wanted } from '../shares.ts';
import { createMessages } from './messages.ts';
import { queueRepository } from './queue-repository.ts';

export interface Taking {
  /** Returns the taken deliveries by the key of their lane. Rejects when the database does not answer. */
  take(wanted: readonly Wanted[]): Promise<Map<string, Held[]>>;
  /** Prolongs leases that will soon end. Never rejects. */
  prolong(held: Iterable<Held>): Promise<void>;
}

export interface TakingParts {
  readonly database: Database;
  readonly log: Log;
  readonly now: () => Date;
  readonly settings: DeliverySettings;
  readonly payloads: GoodPayloads;
}

export function createTaking({ database, log, now, settings, payloads }: TakingParts): Taking {
  const repository = queueRepository(database);
  const messages = createMessages(database);
  const { leaseMs } = settings;

  return {
    async take(wanted) {
      const at = now();
      const until = new Date(at.getTime() + leaseMs);
      const shares = wanted.map(({ lane: { appId, kind }, most }) => ({ appId, kind, most }));
      const taken = await repository.takeDue(shares, at, until);
      const notifications = await messages.of(taken.map((one) => one.notificationId));
      const all = taken.map((one): Held => {
        const notification = notifications.get(one.notificationId) ?? null;
        return { taken: one, notification, leasedUntil: until.getTime(), begunAt: null, over: false };
      });
      await payloads.learn(all);
      return Map.groupBy(all, ({ taken: { appId, kind } }) => laneKey(appId, kind));
    },

    async prolong(held) {
      const at = now().getTime();
      const late = [...held].filter((one) => !one.over && one.leasedUntil - at < (leaseMs * 2) / 3);
      if (late.length === 0) return;
      const until = new Date(at + leaseMs);
      try {
        await repository.prolong(
          late.map(({ taken }) => taken),
          until,
        );
        for (const one of late) one.leasedUntil = until.getTime();
      } catch (err) {
        log.warn({ err }, 'the leases of pushes in flight could not be prolonged: they are retried');
      }
    },
  };
}
