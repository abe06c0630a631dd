import { randomUUID } from 'node:crypto';
import type { ClickHouse } from './clickhouse.ts';

/** Deletes facts of an app, by ids of facts or of their devices. Returns when they are gone. */
export async function removeFacts(
  clickhouse: ClickHouse,
  appId: string,
  batches: Iterable<readonly string[]>,
): Promise<void> {
  // One change of the table takes as long for one fact as for all: the ids are gathered first.
  const table = `removed_${randomUUID().replaceAll('-', '')}`;
  await clickhouse.run(`create table ${table} (id UUID) engine = Memory`);
  try {
    for (const ids of batches) {
      const rows = ids.map((id) => ({ id }));
      await clickhouse.insert(table, rows);
    }
    await clickhouse.run(
      `alter table facts delete where app_id = {app:UUID} and (id in (select id from ${table}) or device in (select id from ${table}))
       settings mutations_sync = 1, allow_nondeterministic_mutations = 1`,
      { app: appId },
    );
  } finally {
    await clickhouse.run(`drop table ${table} sync`);
  }
}
