// Ends the queued deliveries of a stopped notification. No lane has to take them for that, not even one that rests.
import type { Database } from '@landfall/db';
import { stoppedRepository } from './stopped-repository.ts';

export interface StopperParts {
  readonly database: Database;
  readonly now: () => Date;
  readonly leaseMs: number;
  /** Asked before each page. */
  readonly stopped: () => boolean;
}

const PAGE = 5_000;
/** Milliseconds until deliveries in the hands of a worker are looked at again. */
const AGAIN_MS = 15_000;
/** Workers' clocks may differ. */
const SKEW_MS = 60_000;

/**
 * Returns a function that ends the queued and free deliveries of these notifications. Rejects when PostgreSQL cannot be
 * asked.
 */
export function createStopper({
  database,
  now,
  leaseMs,
  stopped,
}: StopperParts): (stopping: readonly string[]) => Promise<void> {
  const repository = stoppedRepository(database);
  /** Since when something is left of these. */
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
