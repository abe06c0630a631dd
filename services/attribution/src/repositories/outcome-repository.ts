// What became of taps, for people.
import type { MatchType, Platform } from '@landfall/contracts';
import { type Sql, toText } from '@landfall/db';

export interface Outcome {
  readonly id: string;
  readonly tappedAt: Date;
  readonly platform: Platform | null;
  readonly state: 'open' | 'given' | 'joined' | 'opened';
  readonly restoreId: string | null;
  readonly device: string | null;
  readonly matchType: MatchType | null;
  readonly reason: string | null;
}

/** The most restores that are searched for the reason why an open tap was not given. */
const MOST_RESTORES = 500;

/** Finds taps on one link of an app. An opening has no restore. */
export async function findOutcomes(
  sql: Sql,
  { appId, linkId, ids }: { appId: string; linkId: string; ids: readonly string[] },
): Promise<Outcome[]> {
  const rows = await sql.rows<Omit<Outcome, 'device'> & { device: Buffer | null }>(
    `with taps as materialized (
       select p.id, p.tapped_at, p.platform, p.closed_by from attribution.pending_links p
       where p.id = any($3::uuid[]) and p.app_id = $1 and p.link_id = $2
     ), refusals as materialized (
       select message_id, at, considered from attribution.restores
       where app_id = $1 and link_ids @> array[$2::uuid] and link_ids is not null
         and at >= (select min(tapped_at) from taps where closed_by is null)
       order by at desc limit ${MOST_RESTORES}
     )
     select t.id, t.tapped_at as "tappedAt", t.platform,
       case when t.closed_by is null then 'open' when r.message_id is null then 'opened'
            when t.id = any(r.pending_ids) then 'given' else 'joined' end as state,
       coalesce(r.message_id, refused.message_id) as "restoreId",
       case when t.id = any(r.pending_ids) then r.device end as device,
       case when t.id = any(r.pending_ids) then r.match_type end as "matchType",
       coalesce(given.reason, refused.reason) as reason
     from taps t
     left join attribution.restores r on r.message_id = t.closed_by
     left join lateral (
       select c ->> 'reason' as reason from json_array_elements(r.considered) c
       where c ->> 'pendingLinkId' = t.id::text limit 1
     ) given on true
     left join lateral (
       select f.message_id, c ->> 'reason' as reason from refusals f, json_array_elements(f.considered) c
       where t.closed_by is null and c ->> 'pendingLinkId' = t.id::text order by f.at desc limit 1
     ) refused on true`,
    [appId, linkId, ids],
    'anew',
  );
  return rows.map(({ device, ...row }) => ({ ...row, device: toText(device) }));
}

/** Finds a tap of an app by its id. A link that was stored without a tap is none. */
export async function findTapOf(sql: Sql, appId: string, id: string): Promise<{ linkId: string; at: Date } | null> {
  // The kind is not in the condition: see the index of taps in the schema.
  const [row] = await sql.rows<{ linkId: string; at: Date; kind: string }>(
    `select link_id as "linkId", tapped_at as at, kind from attribution.pending_links where id = $1 and app_id = $2`,
    [id, appId],
  );
  return row?.kind === 'tap' ? row : null;
}
