// Caches the messages: each message is read once for many deliveries.
import type { Sql } from '@landfall/db';
import { type DueNotification, queueRepository } from './queue-repository.ts';

/** The number of messages in the cache. A message has a few kilobytes. */
const KEPT = 500;

export interface Messages {
  /** Returns the notifications with these ids. Ids without a notification are left out. */
  of(ids: readonly string[]): Promise<ReadonlyMap<string, DueNotification>>;
}

/** A notification that is being sent does not change any more. It can only be stopped. */
export function createMessages(sql: Sql): Messages {
  const repository = queueRepository(sql);
  const kept = new Map<string, DueNotification>();
  return {
    async of(ids) {
      const wanted = new Set(ids);
      const missing = [...wanted].filter((id) => !kept.has(id));
      if (missing.length > 0) for (const one of await repository.readNotifications(missing)) kept.set(one.id, one);
      const found = new Map([...wanted].flatMap((id) => (kept.has(id) ? [[id, kept.get(id)!] as const] : [])));
      // Removes the oldest entries first. A message that is needed again is read again.
      for (const id of kept.keys()) {
        if (kept.size <= KEPT) break;
        kept.delete(id);
      }
      return found;
    },
  };
}
