import type { Sql, SqlTransaction } from '@landfall/db';
import { type Fact, kinds } from '../domain/fact.ts';

/** Made-up events that an operator added. */
interface Demo {
  readonly id: string;
  readonly options: object;
}

export const demoRepository = (sql: Sql) => ({
  async add({ id, options }: Demo, appId: string): Promise<void> {
    const statement = 'insert into analytics.demos (id, app_id, options) values ($1, $2, $3::jsonb)';
    await sql.rows(statement, [id, appId, JSON.stringify(options)]);
  },
  of: (appId: string): Promise<Demo[]> =>
    sql.rows<Demo>('select id, options from analytics.demos where app_id = $1 order by id', [appId]),
  async remove(id: string): Promise<void> {
    await sql.rows('delete from analytics.demos where id = $1', [id]);
  },
});

/** Deletes facts, those of their devices, and the installs of these. The counts stay. */
export function deleteFacts(tx: SqlTransaction, appId: string, facts: readonly Fact[]): void {
  tx.send(
    `delete from analytics.facts f using unnest($1::timestamptz[], $2::uuid[]) as g(at, id)
     where f.at = g.at and f.id = g.id`,
    [facts.map(({ at }) => at), facts.map(({ id }) => id)],
    'anew',
  );
  const devices = [...new Set(facts.flatMap(({ device }) => (device === null ? [] : [device])))];
  // A made-up restore may have found other taps than was planned. It follows the install within seconds.
  const times = facts.map(({ at }) => at.getTime()).sort((a, b) => a - b);
  tx.send(
    `delete from analytics.facts
     where app_id = $1 and kind = $2 and device = any($3::uuid[]) and at between $4 and $5`,
    [appId, kinds.restore, devices, new Date(times[0] ?? 0), new Date((times.at(-1) ?? 0) + 60_000)],
    'anew',
  );
  tx.send('delete from analytics.installs where app_id = $1 and device = any($2::uuid[])', [appId, devices], 'anew');
}
