// Ends the queued deliveries of a stopped notification. No lane has to take them first, so this also works while a lane
// rests.
import type { Database } from '@landfall/db';
import { stoppedRepository } from './stopped-repository.ts';

export interface StopperParts {
  readonly database: Database;
  readonly now: () => Date;
  readonly leaseMs: number;
  /** Called before each page. True when the worker stops. */
  readonly stopped: () => boolean;
}

const PAGE = 5_000;
/** Milliseconds until the deliveries that a worker holds are looked at again. */
const AGAIN_MS = 15_000;
/** Milliseconds by which the clocks of workers may differ. */
const SKEW_MS = 60_000;

/**
 * Returns a function that ends the queued deliveries of these notifications that no worker holds. The function rejects
 * when PostgreSQL cannot be queried.
 */
export function createStopper({
  database,
  now,
  leaseMs,
  stopped,
}: StopperParts): (stopping: readonly string[]) => Promise<void> {
  const repository = stoppedRepository(database);
  /** The time of the last try, in milliseconds since 1970, for each notification that still has queued deliveries. */
  const triedAt = new Map<string, number>();

  async function endAll(id: string): Promise<void> {
    let left = 0;
    let after: string | null = null;
    do {
      if (stopped()) return;
      const at = now();
      const farAt = new Date(at.getTime() + leaseMs + SKEW_MS);
      const page = await repository.endPage(id, { after, size: PAGE, now: at, farAt });
      left += page.left;
      after = page.to;
    } while (after !== null);
    if (left > 0) return;
    await repository.end(id);
    triedAt.delete(id);
  }

  return async (stopping) => {
    for (const id of triedAt.keys()) if (!stopping.includes(id)) triedAt.delete(id);
    for (const id of stopping) {
      const at = now().getTime();
      if (at - (triedAt.get(id) ?? 0) < AGAIN_MS) continue;
      triedAt.set(id, at);
      await endAll(id);
    }
  };
}
