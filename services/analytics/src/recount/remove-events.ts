// Takes events out again, as if they had never come.
import type { Message } from '@landfall/bus';
import type { EventDef } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { appRepository, DEFAULT_ZONE } from '../repositories/app-repository.ts';
import { deleteFacts } from '../repositories/demo-repository.ts';
import { factsOfEvent } from '../service.ts';
import { recount } from './recount.ts';

export type Removed = readonly [EventDef, Message<never>];

/**
 * Removes the facts of events of one app, then counts its other facts again. Days whose facts are no longer kept stay as
 * they were counted.
 * @param batches the events, some thousand at a time
 */
export async function removeEvents(
  database: Database,
  appId: string,
  batches: Iterable<readonly Removed[]>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const apps = appRepository(tx);
    apps.seize(appId);
    tx.send('set local statement_timeout = 0');
    for (const batch of batches) {
      deleteFacts(
        tx,
        appId,
        batch.flatMap(([event, message]) => factsOfEvent(event, message)),
      );
      // The statements of a transaction wait in memory until something is read.
      await tx.rows('select 1');
    }
    const zones = await apps.zones([appId]);
    await recount(tx, appId, zones.get(appId) ?? DEFAULT_ZONE);
  });
}
