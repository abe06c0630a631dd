// Stores who clicked on a day, and the salts with which they are hashed.
import { randomBytes } from 'node:crypto';
import { columnsOf, type Database, deleteOld, type Sql, type SqlTransaction } from '@landfall/db';

export interface Visit {
  readonly appId: string;
  readonly day: string;
  readonly visitor: bigint;
}

const SALT_BYTES = 32;

const columns = columnsOf<Visit>({
  app_id: ['uuid', (v) => v.appId],
  day: ['date', (v) => v.day],
  visitor: ['bigint', (v) => v.visitor],
});

export function visitorRepository(tx: SqlTransaction) {
  return {
    /** Adds visits, and returns how many visitors are new on each day of an app. */
    async add(visits: readonly Visit[]): Promise<{ appId: string; day: string; visitors: number }[]> {
      if (visits.length === 0) return [];
      return tx.rows(
        `with fresh as (
           insert into analytics.visitors (app_id, day, visitor)
           select distinct * from ${columns.unnest('v')} order by 1, 2, 3
           on conflict do nothing returning app_id, day
         ) select app_id as "appId", day::text, count(*)::int as visitors from fresh group by 1, 2`,
        columns.valuesOf(visits),
      );
    },

    /** Of the days that have one, as text. */
    async salts(days: readonly string[]): Promise<Map<string, string>> {
      const rows = await tx.rows<{ day: string; salt: string }>(
        "select day::text, encode(salt, 'hex') as salt from analytics.salts where day = any($1::date[])",
        [days],
      );
      return new Map(rows.map(({ day, salt }) => [day, salt]));
    },

    /** Makes the salts of days. Another process may have made one meanwhile: read them again. */
    makeSalts(days: readonly string[], now: Date): void {
      tx.send(
        `insert into analytics.salts (day, salt, created_at)
         select d.day, d.salt, $3 from unnest($1::date[], $2::bytea[]) as d(day, salt) order by 1
         on conflict (day) do nothing`,
        [days, days.map(() => randomBytes(SALT_BYTES)), now],
      );
    },
  };
}

/** By day. Makes those that are missing. */
export const keptSalts = (database: Database, days: readonly string[], now: Date): Promise<Map<string, string>> =>
  database.transaction(async (tx) => {
    const repository = visitorRepository(tx);
    repository.makeSalts(days, now);
    return repository.salts(days);
  });

export async function daysWithSalt(sql: Sql): Promise<string[]> {
  const rows = await sql.rows<{ day: string }>('select day::text from analytics.salts order by day');
  return rows.map(({ day }) => day);
}

/** Deletes salts two days after the end of their day, and the visitors that they hashed. */
export async function deleteVisitors(database: Database, before: Date, maxRows: number): Promise<number> {
  const statement = 'delete from analytics.salts where created_at < $1 and day < ($1::timestamptz)::date';
  await database.rows(statement, [before], 'anew');
  const where = 'not exists (select from analytics.salts s where s.day = visitors.day)';
  return deleteOld(database, { table: 'analytics.visitors', where, values: [] }, maxRows);
}
