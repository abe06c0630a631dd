// Makes deliveries of notifications whose time has come, a page of devices at a time, so that any worker can go on after any page.
import type { Log } from '@landfall/bus';
import type { Database } from '@landfall/db';
import { type Expanding, expansionRepository } from './expansion-repository.ts';

export interface ExpanderParts {
  readonly database: Database;
  readonly log: Log;
  readonly now: () => Date;
  readonly pageSize: number;
  /** Called when there are more deliveries. */
  readonly made: () => void;
  /** Asked before each page. */
  readonly stopped: () => boolean;
}

/** At once, a page of each in turn, so that one to millions of devices holds up none to a few. */
const AT_ONCE = 20;
/** For one page, and those of the others in between. One that is longer does no harm: only one of two moves on. */
const LEASE_MS = 20_000;

/** Expands until nothing is due. Rejects when PostgreSQL cannot be asked; what was taken is then due again after its lease. */
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

/** Gives what is left to do of it, or null. */
async function expandPage({ database, log, now, pageSize }: ExpanderParts, one: Expanding): Promise<Expanding | null> {
  const repository = expansionRepository(database);
  try {
    const page = await repository.readPage(one, pageSize);
    const at = now();
    const next = await repository.writePage(one, page, at, new Date(at.getTime() + LEASE_MS));
    return page.last ? null : next;
  } catch (err) {
    log.warn({ err, notification: one.id }, 'a page of a notification could not be queued: it is retried');
    return null;
  }
}
