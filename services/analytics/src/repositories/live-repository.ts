import { type LiveEvent, liveKinds, SEARCHED_LIVE_EVENTS } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { kinds } from '../domain/fact.ts';

/** The same in both stores. */
export const LIVE_COLUMNS = `at, id, kind, link_id as "linkId", device, country, platform, os, browser, referrer,
  in_app_browser as "inAppBrowser", via, utm_campaign as "utmCampaign", match_type as "matchType", to_store as "toStore",
  app_version as "appVersion", labels`;

const names = new Map<number, LiveEvent['kind']>(liveKinds.map((name) => [kinds[name], name]));
export const nameOfKind = (kind: number): LiveEvent['kind'] => names.get(kind)!;

export async function listLive(
  sql: Sql,
  appId: string,
  since: Date,
  limit: number,
  kind: LiveEvent['kind'] | null,
): Promise<LiveEvent[]> {
  type Row = Omit<LiveEvent, 'at' | 'kind' | 'labels'> & { at: Date; kind: number; labels: LiveEvent['labels'] | null };
  const rows = await sql.rows<Row>(
    `select ${LIVE_COLUMNS} from (
       select * from analytics.facts where app_id = $1 and at >= $2 order by at desc, id desc limit $3
     ) f where $4::smallint is null or kind = $4 order by at desc, id desc limit $5`,
    [appId, since, kind === null ? limit : SEARCHED_LIVE_EVENTS, kind && kinds[kind], limit],
    // The plan leaves out the partitions of other months.
    'anew',
  );
  return rows.toReversed().map(({ at, kind, labels, ...row }) => ({
    ...row,
    at: at.toISOString(),
    kind: nameOfKind(kind),
    labels: labels ?? {},
  }));
}
