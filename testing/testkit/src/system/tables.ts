// All that is stored, to see whether a request has changed anything.
import { connect } from '@landfall/db';
import type { System } from './system.ts';

/** Columns that only say when something was last used. */
const LAST_USED = ['last_used_at', 'last_seen_at'];

/** Tables that only say when or how often something was used. */
const USES = ['account.key_uses', 'account.counted_uses', 'account.client_calls'];

/**
 * Every row of the services' tables as text, by table, without what only says when or how often something was used.
 * It first waits until the system has settled: what an earlier step told may still be on its way to a table.
 */
export async function readTables(system: Pick<System, 'databaseUrl' | 'settled'>): Promise<Record<string, string[]>> {
  await system.settled();
  const database = connect({ url: system.databaseUrl, max: 1 });
  try {
    const tables = await database.rows<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema in ('account', 'link', 'attribution', 'push', 'analytics') order by 1`,
    );
    const read: Record<string, string[]> = {};
    for (const { name } of tables.filter((table) => !USES.includes(table.name))) {
      const rows = await database.rows<{ row: string }>(
        `select (to_jsonb(t) - $1::text[])::text as row from ${name} t order by 1`,
        [LAST_USED],
      );
      read[name] = rows.map(({ row }) => row);
    }
    return read;
  } finally {
    await database.close();
  }
}
