// Counts the facts of all apps again.
import type { Database } from '@landfall/db';
import { appRepository, appsWithFacts, DEFAULT_ZONE } from '../repositories/app-repository.ts';
import { completeFromFacts } from '../repositories/partition-repository.ts';
import { recount } from './recount.ts';

/**
 * Replaces the counts of every app by those of its facts. Facts that are added meanwhile are counted, too. Resolves with
 * the number of apps.
 */
export async function recountAll(database: Database): Promise<number> {
  const appIds = await appsWithFacts(database);
  for (const appId of appIds) {
    await database.transaction(async (tx) => {
      const apps = appRepository(tx);
      apps.seize(appId);
      const zones = await apps.zones([appId]);
      await recount(tx, appId, zones.get(appId) ?? DEFAULT_ZONE);
    });
  }
  await completeFromFacts(database);
  return appIds.length;
}
