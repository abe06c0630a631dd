import type { One } from '@landfall/bus';
import type { ListLiveEvents } from '@landfall/contracts';
import type { AnalyticsStore } from '../store.ts';

/** Lists the latest facts of an app. */
export function listLiveEvents(store: AnalyticsStore): One<typeof ListLiveEvents> {
  return async ({ appId, since, limit }) => ({ reply: { events: await store.live(appId, new Date(since), limit) } });
}
