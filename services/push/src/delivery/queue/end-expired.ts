// What expires in a lane that rests is ended there, or it would be queued for as long as the lane rests.
import type { Database } from '@landfall/db';
import { givenUp } from '../../domain/verdict.ts';
import type { Lanes } from '../lanes.ts';
import type { Settler } from '../settle.ts';
import { takeExpired } from './queue-repository.ts';

export interface ExpiryParts {
  readonly database: Database;
  readonly now: () => Date;
  readonly leaseMs: number;
  readonly lanes: Pick<Lanes, 'resting'>;
  readonly settler: Pick<Settler, 'add'>;
  readonly stopped: () => boolean;
}

/** How often lanes that rest are looked through, and how much of each at a time. */
const EVERY_MS = 60_000;
const MOST = 500;

/** What this gives looks through them if it is time to, and resolves when what expired is written down. */
export function createExpiry({ database, now, leaseMs, lanes, settler, stopped }: ExpiryParts): () => Promise<void> {
  let endedAt = 0;
  return async () => {
    const at = now();
    if (lanes.resting().length === 0 || at.getTime() - endedAt < EVERY_MS) return;
    endedAt = at.getTime();
    const until = new Date(at.getTime() + leaseMs);
    for (;;) {
      const wanted = lanes.resting().map(({ appId, kind }) => ({ appId, kind, most: MOST }));
      const expired = stopped() ? [] : await takeExpired(database, wanted, at, until);
      const written = expired.map(
        (taken) =>
          new Promise<void>((done) => settler.add({ taken, verdict: givenUp(taken, 'expired'), drop: null }, done)),
      );
      await Promise.all(written);
      if (expired.length < MOST) return;
    }
  };
}
