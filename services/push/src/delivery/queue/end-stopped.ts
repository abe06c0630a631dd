// Ends the queued deliveries of a stopped notification, also while a lane rests: no lane has to take them first.
import type { Shared } from '../settings.ts';
import { stoppedRepository } from './stopped-repository.ts';

const PAGE = 5_000;
/** Milliseconds until the deliveries that a worker holds are looked at again. */
const AGAIN_MS = 15_000;
/** Milliseconds by which the clocks of workers may differ. */
const SKEW_MS = 60_000;

/** The returned function ends what no worker holds. It rejects when PostgreSQL cannot be queried. */
export function createStopper({ database, now, settings, stopped }: Shared) {
  const repository = stoppedRepository(database);
  /** The time of the last try, in milliseconds since 1970, for each notification that still has queued deliveries. */
  const triedAt = new Map<string, number>();

  async function endAll(id: string): Promise<void> {
    let left = 0;
    let after: string | null = null;
    do {
      if (stopped()) return;
      const at = now();
      const farAt = new Date(at.getTime() + settings.leaseMs + SKEW_MS);
      const page = await repository.endPage(id, { after, size: PAGE, now: at, farAt });
      left += page.left;
      after = page.to;
    } while (after !== null);
    if (left > 0) return;
    await repository.end(id);
    triedAt.delete(id);
  }

  return async (stopping: readonly string[]): Promise<void> => {
    for (const id of triedAt.keys()) if (!stopping.includes(id)) triedAt.delete(id);
    for (const id of stopping) {
      const at = now().getTime();
      if (at - (triedAt.get(id) ?? 0) < AGAIN_MS) continue;
      triedAt.set(id, at);
      await endAll(id);
    }
  };
}
