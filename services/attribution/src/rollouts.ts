// Finds the apps whose update may be reaching older users. The counts are read seldom. The log shows when the state
// begins and ends.
import type { Log } from '@landfall/bus';
import type { Rollout } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { LRUCache } from 'lru-cache';
import type { Ask } from './domain/candidate.ts';
import { type Activity, NOTHING_SEEN, type Reaching, rolloutOf } from './domain/rollout.ts';
import { seconds } from './domain/time.ts';
import { activityReader } from './repositories/activity-repository.ts';

/** Seconds for which counts are reused. */
const FRESH_SECONDS = 10;
const MAX_APPS = 10_000;

export type Rollouts = ReturnType<typeof createRollouts>;

export function createRollouts(log: Log) {
  const counted = new LRUCache<string, { at: Date; activity: Activity }>({ max: MAX_APPS });
  const known = new LRUCache<string, { reason: Rollout['reason'] | null }>({ max: MAX_APPS });

  return {
    /**
     * Returns rollouts by message, also of apps that say that they had no users before. A message has none if it
     * contains the time of the install.
     */
    async of(sql: Sql, asks: readonly Ask[]): Promise<Map<string, Reaching>> {
      const asking = asks.filter(
        ({ address, installedSecondsAgo }) => address !== null && installedSecondsAgo === null,
      );
      await count(sql, asking);
      return new Map(
        asking.flatMap((ask): [string, Reaching][] => {
          const activity = counted.get(ask.appId)?.activity ?? NOTHING_SEEN;
          const rollout = rolloutOf(createdAt(ask), ask.now, activity);
          if (ask.matching.existingUsers) tell(ask.appId, rollout, activity);
          return rollout === null ? [] : [[ask.id, rollout]];
        }),
      );
    },
  };

  async function count(sql: Sql, asks: readonly Ask[]): Promise<void> {
    const stale = asks.filter(({ appId, now }) => {
      const known = counted.get(appId);
      return known === undefined || Math.abs(now.getTime() - known.at.getTime()) >= seconds(FRESH_SECONDS);
    });
    const [first] = stale;
    if (first === undefined) return;
    const appIds = [...new Set(stale.map(({ appId }) => appId))];
    const found = await activityReader(sql).find(appIds, first.now);
    for (const appId of appIds) counted.set(appId, { at: first.now, activity: found.get(appId) ?? NOTHING_SEEN });
  }

  function tell(appId: string, rollout: Rollout | null, activity: Activity): void {
    const reason = rollout?.reason ?? null;
    const before = known.get(appId)?.reason ?? null;
    if (reason === before) return;
    known.set(appId, { reason });
    if (reason === null) {
      log.info(
        { appId, ...last(activity) },
        'matching by address: devices that are seen for the first time count as new again',
      );
      return;
    }
    const why =
      reason === 'young'
        ? 'the app is new to Landfall'
        : 'many of its devices of the last two days were never seen before';
    log.info(
      { appId, reason, until: rollout!.until, ...(reason === 'manyNewDevices' && last(activity)) },
      `matching by address asks for more, because ${why} and may belong to older users: send installedSecondsAgo with restores, or set matching.existingUsers to false if nobody had the app before`,
    );
  }
}

const createdAt = ({ appCreatedAt }: Ask): Date | null => (appCreatedAt === null ? null : new Date(appCreatedAt));

const last = ({ seen, firstSeen }: Activity) => ({ seen, firstSeen });
