import type { Listener } from '@landfall/bus';
import type { LinkOpened } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { openingRepository } from '../repositories/opening-repository.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';

/**
 * Closes the taps just before an installed app opened the link: they wait for no install. A stored link stays open.
 * Several openings in one minute share one id, and each of them counts.
 */
export function retireOpenedTap(database: Database): Listener<typeof LinkOpened> {
  return async (batch) => {
    const openings = batch.flatMap(({ data: { appId, linkId, address }, context }) =>
      address === null ? [] : [{ id: context.id, appId, linkId, address, at: context.now }],
    );
    if (openings.length === 0) return;
    // Most openings have no tap. A tap that was found is closed only if it is still open.
    const closings = await openingRepository(database).record(openings);
    if (closings.length > 0) await database.transaction(async (tx) => pendingLinkRepository(tx).close(closings));
  };
}
