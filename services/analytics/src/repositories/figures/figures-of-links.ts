// The taps and installs of links on the last days, from their totals.
import { LEAST_TAPS_OF_RATE, TAPS_OF_RATE } from '@landfall/contracts';
import type { Sql } from '@landfall/db';
import type { FiguresOfLink, LinkQuestion } from '../../store.ts';

/** Reads all totals of the app for an order. With an index for each range and number, counting would take twice as long. */
export async function figuresOfLinks(sql: Sql, question: LinkQuestion): Promise<FiguresOfLink[]> {
  const { appId, days, linkIds, sort, after, limit } = question;
  const values: unknown[] = [appId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const rate = `installs_${days}::bigint * ${TAPS_OF_RATE} / nullif(clicks_${days}, 0)`;
  const sorted = sort === null ? null : sort === 'rate' ? `(${rate})` : `${sort}_${days}`;
  const conditions = [
    'app_id = $1',
    ...(linkIds === null ? [] : [`link_id = any(${parameter(linkIds)}::uuid[])`]),
    ...(sorted === null ? [] : [sort === 'rate' ? `clicks_${days} >= ${LEAST_TAPS_OF_RATE}` : `${sorted} > 0`]),
    ...(after === null
      ? []
      : [`(-${sorted}, link_id) > (-${parameter(after.n)}::bigint, ${parameter(after.linkId)}::uuid)`]),
  ];
  const rows = await sql.rows<Omit<FiguresOfLink, 'lastTapAt'> & { lastTapAt: Date | null }>(
    `select link_id as "linkId", clicks_${days} as clicks, installs_${days} as installs, last_tap_at as "lastTapAt"
     from analytics.link_totals where ${conditions.join(' and ')}
     ${sorted === null ? '' : `order by ${sorted} desc, link_id limit ${parameter(limit)}`}`,
    values,
    'anew',
  );
  return rows.map((row) => ({ ...row, lastTapAt: row.lastTapAt?.toISOString() ?? null }));
}
