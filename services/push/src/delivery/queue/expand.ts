// Creates the deliveries of due notifications, page by page, so that any worker can continue after any page.
import type { Shared } from '../settings.ts';
import { type Expanding, expansionRepository } from './expansion-repository.ts';

interface ExpanderParts extends Shared {
  /** Called after each page, when there may be more deliveries. */
  readonly made: () => void;
}

/** Notifications that are expanded in turn, page by page. One to millions of devices does not delay one to a few. */
const AT_ONCE = 20;
/** Enough for a page of each notification. A late page does no harm: only one worker moves a notification on. */
const LEASE_MS = 20_000;

/** Rejects when PostgreSQL cannot be queried. Notifications that were taken are then due again after their lease. */
export async function expandDue(parts: ExpanderParts): Promise<void> {
  let taken: Expanding[] = [];
  while (!parts.stopped()) {
    if (taken.length < AT_ONCE) taken = [...taken, ...(await takeMore(parts, AT_ONCE - taken.length))];
    if (taken.length === 0) return;
    const left: Expanding[] = [];
    for (const one of taken) {
      if (parts.stopped()) {
        left.push(one);
        continue;
      }
      const next = await expandPage(parts, one);
      if (next) left.push(next);
      parts.made();
    }
    taken = left;
  }
  if (taken.length > 0) await expansionRepository(parts.database).giveBack(taken);
}

const takeMore = ({ database, now }: ExpanderParts, limit: number) => {
  const at = now();
  return expansionRepository(database).takeDue(at, new Date(at.getTime() + LEASE_MS), limit);
};

/** Returns the notification with its remaining work, or null when this worker has nothing more to do for it. */
async function expandPage({ database, log, now, settings }: ExpanderParts, one: Expanding): Promise<Expanding | null> {
  const repository = expansionRepository(database);
  try {
    const page = await repository.readPage(one, settings.pageSize);
    const at = now();
    const next = await repository.writePage(one, page, at, new Date(at.getTime() + LEASE_MS));
    return page.last ? null : next;
  } catch (err) {
    log.warn({ err, notification: one.id }, 'a page of a notification could not be queued: it is retried');
    return null;
  }
}
