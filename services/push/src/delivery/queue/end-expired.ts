// Ends expired deliveries of a resting lane. Otherwise they would be queued for as long as the lane rests.
import type { Database } from '@landfall/db';
import { givenUp } from '../../domain/verdict.ts';
import type { Lanes } from '../lanes.ts';
import type { Settler } from '../settle.ts';
import { queueRepository } from './queue-repository.ts';

export interface ExpiryParts {
  readonly database: Database;
  readonly now: () => Date;
  readonly leaseMs: number;
  readonly lanes: Pick<Lanes, 'resting'>;
  readonly settler: Pick<Settler, 'add'>;
  readonly stopped: () => boolean;
}

/**
 * Milliseconds between two looks at resting lanes, and the maximum number of rows that one look takes of each lane at a
 * time.
 */
const EVERY_MS = 60_000;
const MOST = 500;

/**
 * Returns a function that ends the expired deliveries of resting lanes, at most once a minute. It resolves when their
 * outcomes are stored.
 */
export function createExpiry({ database, now, leaseMs, lanes, settler, stopped }: ExpiryParts): () => Promise<void> {
  const repository = queueRepository(database);
  let endedAt = 0;
  return async () => {
    const at = now();
    if (lanes.resting().length === 0 || at.getTime() - endedAt < EVERY_MS) return;
    endedAt = at.getTime();
    const until = new Date(at.getTime() + leaseMs);
    for (;;) {
      const wanted = lanes.resting().map(({ appId, kind }) => ({ appId, kind, most: MOST }));
      const expired = stopped() ? [] : await repository.takeExpired(wanted, at, until);
      const written = expired.map(
        (taken) =>
          new Promise<void>((done) => settler.add({ taken, verdict: givenUp(taken, 'expired'), drop: null }, done)),
      );
      await Promise.all(written);
      if (expired.length < MOST) return;
    }
  };
}
