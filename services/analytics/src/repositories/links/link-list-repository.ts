// The taps and installs of one link, one by one.
import type { LinkInstall, Tap } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import { kinds } from '../../domain/fact.ts';
import type { OfLink } from '../../store.ts';

/** The same in both stores. */
export const TAP_COLUMNS = `id as "tapId", at, country, platform, os, os_version as "osVersion", browser,
  in_app_browser as "inAppBrowser", language, referrer, via, utm_campaign as "utmCampaign",
  case when kind = ${kinds.open} then 'app' when to_store then 'store' else target end as answered`;

const FIRST = { at: new Date(Date.UTC(9999, 0)), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const valuesOf = ({ appId, linkId, limit, after }: OfLink) => {
  const { at, id } = after ?? FIRST;
  return [appId, linkId, limit, at, id];
};

export async function listTaps(sql: Sql, asked: OfLink): Promise<Tap[]> {
  const rows = await sql.rows<Omit<Tap, 'at'> & { at: Date }>(
    `select ${TAP_COLUMNS} from analytics.facts
     where app_id = $1 and link_id = $2 and kind in (${kinds.click}, ${kinds.open}) and at <= $4 and (at, id) < ($4, $5::uuid)
     order by at desc, id desc limit $3`,
    valuesOf(asked),
    // The plan leaves out the partitions of later months.
    'anew',
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** The half of the hash of the device gives an install its place in the list. */
export async function listLinkInstalls(sql: Sql, asked: OfLink): Promise<(LinkInstall & { id: string })[]> {
  const rows = await sql.rows<Omit<LinkInstall, 'at'> & { id: string; at: Date }>(
    `select device as id, installed_at as at, country, platform, app_version as "appVersion", match_type as "matchType",
       click_id as "tapId"
     from analytics.installs
     where app_id = $1 and link_id = $2 and link_id is not null and (installed_at, device) < ($4, $5::uuid)
     order by installed_at desc, device desc limit $3`,
    valuesOf(asked),
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
