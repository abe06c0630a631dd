// Answers questions about single links.
import { LEAST_TAPS_OF_RATE, type LinkInstall, TAPS_OF_RATE, type Tap } from '@landfall/contracts';
import { kinds } from '../domain/fact.ts';
import { addDays } from '../domain/zone.ts';
import { TAP_COLUMNS } from '../repositories/links/link-list-repository.ts';
import type { FiguresOfLink, LinkQuestion, OfLink } from '../store.ts';
import type { ClickHouse } from './clickhouse.ts';
import { attributedInstalls, parameters, rangeOf, YEAR_2200 } from './facts-query.ts';

export async function linkFigures(clickhouse: ClickHouse, question: LinkQuestion): Promise<FiguresOfLink[]> {
  const { appId, zone, days, today, linkIds, sort, after, limit } = question;
  const given = parameters();
  const app = given.add(appId, 'UUID');
  const range = rangeOf(given, zone.dayStart(addDays(today, 1 - days)), YEAR_2200);
  const wanted = linkIds === null ? '' : `and link_id in ${given.add(linkIds, 'Array(UUID)')}`;
  const place = sort === 'rate' ? `intDiv(installs * ${TAPS_OF_RATE}, greatest(clicks, 1))` : sort;
  const sorted = sort === null ? [] : [sort === 'rate' ? `clicks >= ${LEAST_TAPS_OF_RATE}` : `${sort} > 0`];
  const behind =
    sort === null || after === null
      ? []
      : [`(-${place}, link) > (-${given.add(after.n, 'Int64')}, ${given.add(after.linkId, 'String')})`];
  const rows = await clickhouse.rows<Omit<FiguresOfLink, 'lastTapAt'> & { lastTapAt: string | null }>(
    `select link as "linkId", clicks, installs, last as "lastTapAt" from (
       select link, toInt64(sum(tapped)) as clicks, toInt64(sum(installed)) as installs, max(tap) as last from (
         select toString(link_id) as link, ${range('at')} as tapped, false as installed, toNullable(at) as tap
         from facts final where app_id = ${app} and kind = ${kinds.click} and link_id is not null ${wanted}
         union all
         select toString(link_id) as link, false as tapped, true as installed, null as tap
         from (${attributedInstalls(app, range)}) where link_id is not null ${wanted}
       ) group by link
     ) where ${['true', ...sorted, ...behind].join(' and ')}
     ${sort === null ? '' : `order by ${place} desc, link limit ${given.add(limit, 'UInt32')}`}`,
    given.values,
  );
  return rows;
}

/** The rows behind the last one of the page before, newest first. */
function pageOf({ add }: ReturnType<typeof parameters>, { limit, after }: OfLink, at: string, id: string): string {
  const behind = after
    ? `and (${at}, toString(${id})) < (fromUnixTimestamp64Milli(${add(after.at.getTime(), 'Int64')}, 'UTC'), ${add(after.id, 'String')})`
    : '';
  return `${behind} order by ${at} desc, toString(${id}) desc limit ${add(limit, 'UInt32')}`;
}

export async function taps(clickhouse: ClickHouse, asked: OfLink): Promise<Tap[]> {
  const given = parameters();
  const app = given.add(asked.appId, 'UUID');
  return clickhouse.rows<Tap>(
    `select ${TAP_COLUMNS} from facts final
     where app_id = ${app} and kind in (${kinds.click}, ${kinds.open}) and link_id = ${given.add(asked.linkId, 'UUID')}
     ${pageOf(given, asked, 'at', 'id')}`,
    given.values,
  );
}

export async function linkInstalls(clickhouse: ClickHouse, asked: OfLink): Promise<(LinkInstall & { id: string })[]> {
  const given = parameters();
  const app = given.add(asked.appId, 'UUID');
  return clickhouse.rows<LinkInstall & { id: string }>(
    `select toString(device) as id, at, country, platform, app_version as "appVersion", match_type as "matchType",
       click_id as "tapId"
     from (${attributedInstalls(app, rangeOf(given, 0, YEAR_2200))})
     where link_id = ${given.add(asked.linkId, 'UUID')}
     ${pageOf(given, asked, 'at', 'device')}`,
    given.values,
  );
}
