// Reads the campaign values that destinations have, also of links that nobody has tapped.
import { UTM_LENGTH, UTM_LINKS, type UtmName } from '@landfall/contracts';
import type { Sql } from '@landfall/db';

export interface UtmValue {
  name: UtmName;
  value: string;
}

/** Links of people alone: the list looks for campaigns among them. A fragment is not in the query. */
const VALUES = `
  select name, coded from (
    select found[1] as name, found[2] as coded, count(*) as links,
      row_number() over (partition by found[1] order by count(*) desc, found[2]) as place
    from (
      select destination from link.links where app_id = $1 and managed
      order by created_at desc, id desc limit ${UTM_LINKS}
    ) newest, regexp_matches(split_part(destination, '#', 1), '[?&]utm_(source|medium|campaign|term|content)=([^&]+)', 'g') found
    group by found[1], found[2]
  ) counted where place <= $2 order by links desc, coded`;

/** @param limit for each name */
export async function listUtm(sql: Sql, appId: string, limit: number): Promise<UtmValue[]> {
  const rows = await sql.rows<{ name: UtmName; coded: string }>(VALUES, [appId, limit], 'anew');
  const values = new Map<string, UtmValue>();
  for (const { name, coded } of rows) {
    const value = decoded(coded);
    const key = `${name} ${value.toLowerCase()}`;
    if (value !== '' && value.length <= UTM_LENGTH && !values.has(key)) values.set(key, { name, value });
  }
  return [...values.values()];
}

/** One value may be written in several ways. */
const decoded = (coded: string): string => new URLSearchParams(`value=${coded}`).get('value')!.trim();
