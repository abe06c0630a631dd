import type { Listener } from '@landfall/bus';
import type { AppChanged } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { zoneOf } from '../domain/zone.ts';
import { recount } from '../recount.ts';
import { appRepository } from '../repositories/app-repository.ts';

/** Stores the zone of an app. Counts its facts again when it has another zone, as its days are others then. */
export function followApp(
  database: Database,
  stored?: (appIds: readonly string[]) => Promise<void>,
): Listener<typeof AppChanged> {
  return async (batch) => {
    for (const { data } of batch) {
      await database.transaction(async (tx) => {
        const apps = appRepository(tx);
        apps.seize(data.appId);
        const differs = await apps.setZone(data.appId, data.version, data.timeZone);
        if (differs) await recount(tx, data.appId, zoneOf(data.timeZone));
      });
    }
    await stored?.([...new Set(batch.map(({ data }) => data.appId))]);
  };
}
