// Stores the zones of apps. Counts of an app are changed under its lock: shared by those who add facts, exclusive for who
// counts everything again.
import type { Sql, SqlTransaction } from '@landfall/db';
import { type Zone, zoneOf } from '../domain/zone.ts';

/** A number of our own, so that these locks meet no others of the database. */
const LOCKS = 7_316_204;

/** The zone of an app that has none yet. */
export const DEFAULT_ZONE = 'UTC';

export function appRepository(tx: SqlTransaction) {
  return {
    /** Locks the counts of apps for additions, until the transaction ends. */
    share(appIds: readonly string[]): void {
      tx.send(
        `select pg_advisory_xact_lock_shared(${LOCKS}, hashtext(a::text)) from unnest($1::uuid[]) a order by hashtext(a::text)`,
        [appIds],
      );
    },

    /** Locks the counts of an app for all others. Waits as long as it takes. */
    seize(appId: string): void {
      tx.send("set local lock_timeout = '60s'");
      tx.send(`select pg_advisory_xact_lock(${LOCKS}, hashtext($1))`, [appId]);
    },

    zone: (appId: string) => zoneOfApp(tx, appId),
    zones: (appIds: readonly string[]) => zonesOf(tx, appIds),

    /** Stores the zone of a version of an app. Returns true when it differs from the zone before. */
    async setZone(appId: string, version: number, timeZone: string): Promise<boolean> {
      const rows = await tx.rows<{ differs: boolean }>(
        `with before as (select time_zone from analytics.apps where app_id = $1)
         insert into analytics.apps as a (app_id, version, time_zone) values ($1, $2, $3)
         on conflict (app_id) do update set version = excluded.version, time_zone = excluded.time_zone
           where a.version < excluded.version
         returning a.time_zone is distinct from coalesce((select time_zone from before), $4) as differs`,
        [appId, version, timeZone, DEFAULT_ZONE],
      );
      return rows[0]?.differs ?? false;
    },
  };
}

export async function appsWithFacts(sql: Sql): Promise<string[]> {
  const statement = 'select distinct app_id as "appId" from analytics.facts order by 1';
  return (await sql.rows<{ appId: string }>(statement, [], 'anew')).map(({ appId }) => appId);
}

async function zonesOf(sql: Sql, appIds: readonly string[]): Promise<(appId: string) => Zone> {
  const rows = await sql.rows<{ appId: string; timeZone: string }>(
    'select app_id as "appId", time_zone as "timeZone" from analytics.apps where app_id = any($1::uuid[])',
    [appIds],
  );
  const zones = new Map(rows.map(({ appId, timeZone }) => [appId, timeZone]));
  return (appId) => zoneOf(zones.get(appId) ?? DEFAULT_ZONE);
}

export async function zoneOfApp(sql: Sql, appId: string): Promise<Zone> {
  return (await zonesOf(sql, [appId]))(appId);
}

/** All apps that have a zone, or those of them. */
export const appsWithZone = (
  sql: Sql,
  appIds?: readonly string[],
): Promise<{ appId: string; version: number; timeZone: string }[]> =>
  sql.rows(
    `select app_id as "appId", version, time_zone as "timeZone" from analytics.apps
     where $1::uuid[] is null or app_id = any($1) order by 1`,
    [appIds ?? null],
    'anew',
  );
