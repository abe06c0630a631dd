// The monthly partitions of the facts, and from when on facts are kept.
import type { Database, Sql } from '@landfall/db';

const LOCK = 7_316_205;

interface Coverage {
  /** Counts are complete from here on. */
  readonly completeFrom: Date;
  /** Facts are complete from here on. Null: no partition was dropped so far. */
  readonly keptFrom: Date | null;
}

const partitionOf = (month: Date): string => `facts_${month.toISOString().slice(0, 7).replace('-', '_')}`;

/** The beginning of the month of a time, in UTC. */
export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
const after = (month: Date): Date => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));

export function partitionRepository(database: Database) {
  return {
    /** Counting begins at `from` when it had not begun. */
    async begin(from: Date): Promise<Coverage> {
      const statement = 'insert into analytics.state (id, complete_from) values (1, $1) on conflict do nothing';
      await database.rows(statement, [from]);
      return (await coverageOf(database))!;
    },

    /** Makes the partition of a month, unless it exists or its facts are not kept any more. */
    async make(month: Date): Promise<void> {
      const name = partitionOf(month);
      await database.transaction(async (tx) => {
        tx.send(`select pg_advisory_xact_lock(${LOCK})`);
        const [row] = await tx.rows<{ wanted: boolean }>(
          `select to_regclass('analytics.${name}') is null
             and not exists (select from analytics.state where kept_from > $1) as wanted`,
          [month],
        );
        if (!row!.wanted) return;
        // A table that is attached later keeps nobody from reading and writing the others.
        tx.send(`create table analytics.${name} (like analytics.facts including defaults including constraints)`);
        tx.send(
          `alter table analytics.facts attach partition analytics.${name}
           for values from ('${month.toISOString()}') to ('${after(month).toISOString()}')`,
        );
      });
    },

    /** Drops the partitions of the months that ended before a time. Returns how many. */
    async dropBefore(time: Date): Promise<number> {
      const keep = partitionOf(monthOf(time));
      return database.transaction(async (tx) => {
        tx.send(`select pg_advisory_xact_lock(${LOCK})`);
        const old = await tx.rows<{ name: string }>(
          `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where i.inhparent = 'analytics.facts'::regclass and c.relname < $1 order by 1`,
          [keep],
        );
        if (old.length === 0) return 0;
        tx.send('update analytics.state set kept_from = greatest(kept_from, $1)', [monthOf(time)]);
        for (const { name } of old) tx.send(`drop table analytics.${name}`);
        return old.length;
      });
    },
  };
}

/** Null: nothing was counted so far. */
export async function coverageOf(sql: Sql): Promise<Coverage | null> {
  const [coverage] = await sql.rows<Coverage>(
    'select complete_from as "completeFrom", kept_from as "keptFrom" from analytics.state',
  );
  return coverage ?? null;
}

/** Notes that the facts are complete from the first one on, after they were read from the topics. */
export async function completeFromFacts(sql: Sql): Promise<void> {
  await sql.rows(
    `update analytics.state set complete_from = least(complete_from, (select min(at) from analytics.facts))`,
    [],
    'anew',
  );
}
