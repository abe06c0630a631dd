import { distinct, type Listener } from '@landfall/bus';
import type { LinkOpened } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { closePendingLinks, findOpenedTaps } from '../pending-link-repository.ts';

const OPENED_WITHIN_MINUTES = 10;

/** The app was there and opened the link: the tap just before it waits for no install. A stored link stays. */
export function retireOpenedTap(database: Database): Listener<typeof LinkOpened> {
  return async (batch) => {
    const openings = distinct(batch).flatMap(({ data: { appId, linkId, address }, context }) =>
      address === null ? [] : [{ id: context.id, appId, linkId, address, at: context.now }],
    );
    if (openings.length === 0) return;
    // Most openings had no tap; what was found is closed only where it is still open.
    const closings = await findOpenedTaps(database, openings, OPENED_WITHIN_MINUTES);
    if (closings.length > 0) await database.transaction(async (tx) => closePendingLinks(tx, closings));
  };
}
