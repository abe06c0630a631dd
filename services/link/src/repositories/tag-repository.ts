// Counts the links of each tag of an app, so that nobody reads all links to list the tags.
import type { Sql, SqlTransaction } from '@landfall/db';

/** In one order, so that two transactions never wait for each other. */
const COUNT = `
  insert into link.tags as t (app_id, tag, links)
  select $1, tag, links from unnest($2::text[], $3::int[]) as c(tag, links) order by tag
  on conflict (app_id, tag) do update set links = t.links + excluded.links`;
const REMOVE_UNUSED = 'delete from link.tags where app_id = $1 and tag = any($2::text[]) and links <= 0';

export function countTags(
  tx: SqlTransaction,
  appId: string,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): void {
  if (added.length + removed.length === 0) return;
  tx.send(COUNT, [appId, [...added, ...removed], [...added.map(() => 1), ...removed.map(() => -1)]]);
  if (removed.length > 0) tx.send(REMOVE_UNUSED, [appId, removed]);
}

/** Returns how many different tags the app would have with these. */
export async function tagsWith(sql: Sql, appId: string, tags: readonly string[]): Promise<number> {
  const [row] = await sql.rows<{ known: number; fresh: number }>(
    `select count(*)::int as known, cardinality($2::text[]) - count(*) filter (where tag = any($2))::int as fresh
     from link.tags where app_id = $1`,
    [appId, tags],
  );
  return row!.known + row!.fresh;
}

export const listTags = (sql: Sql, appId: string): Promise<{ tag: string; links: number }[]> =>
  sql.rows('select tag, links from link.tags where app_id = $1 order by tag', [appId]);
