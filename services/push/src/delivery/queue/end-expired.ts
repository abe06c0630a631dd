// Ends expired deliveries of a resting lane. Otherwise they would be queued for as long as the lane rests.
import { givenUp } from '../../domain/verdict.ts';
import type { Lanes } from '../lanes.ts';
import type { Shared } from '../settings.ts';
import type { Settler } from '../settle.ts';
import { queueRepository } from './queue-repository.ts';

interface ExpiryParts extends Shared {
  readonly lanes: Pick<Lanes, 'resting'>;
  readonly settler: Pick<Settler, 'add'>;
}

const EVERY_MS = 60_000;
/** The number of rows of each lane that are taken at a time. */
const MOST = 500;

/** The returned function does it at most once a minute, and resolves when the outcomes are stored. */
export function createExpiry({ database, now, settings, lanes, settler, stopped }: ExpiryParts): () => Promise<void> {
  const repository = queueRepository(database);
  let endedAt = 0;
  return async () => {
    const at = now();
    if (lanes.resting().length === 0 || at.getTime() - endedAt < EVERY_MS) return;
    endedAt = at.getTime();
    const until = new Date(at.getTime() + settings.leaseMs);
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
