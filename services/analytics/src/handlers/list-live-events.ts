import type { One } from '@landfall/bus';
import type { ListLiveEvents } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { liveRepository } from '../repositories/live-repository.ts';

/** Lists the latest facts of an app. */
export function listLiveEvents(sql: Sql): One<typeof ListLiveEvents> {
  return async ({ appId, since, limit }) => ({
    reply: { events: await liveRepository(sql).list(appId, new Date(since), limit) },
  });
}
