import type { Listener } from '@landfall/bus';
import type { LinkOpened } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { closePendingLinks, recordOpenings } from '../repositories/pending-link-repository.ts';

/**
 * The app was there and opened the link: the taps just before it wait for no install. A stored link stays. Several openings
 * have one id, that of their minute, and each counts.
 */
export function retireOpenedTap(database: Database): Listener<typeof LinkOpened> {
  return async (batch) => {
    const openings = batch.flatMap(({ data: { appId, linkId, address }, context }) =>
      address === null ? [] : [{ id: context.id, appId, linkId, address, at: context.now }],
    );
    if (openings.length === 0) return;
    // Most openings had no tap; what was found is closed only where it is still open.
    const closings = await recordOpenings(database, openings);
    if (closings.length > 0) await database.transaction(async (tx) => closePendingLinks(tx, closings));
  };
}
