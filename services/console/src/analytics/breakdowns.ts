// The cards of the page of analytics: the same events by several dimensions.
import {
  AnalyticsDimension,
  BreakdownMetric,
  MOST_BREAKDOWNS,
  MOST_METRICS,
  QueryBreakdowns,
} from '@landfall/contracts';
import { Reply } from '@landfall/http';
import { z } from 'zod';
import { CSV, csvFile } from '../common/csv.ts';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';
import {
  type Asker,
  askedOf,
  compare,
  comparedOf,
  fileNameOf,
  limit,
  REFUSALS,
  range,
  WAIT,
  withNames,
} from './asked.ts';
import { breakdownAsCsv } from './breakdown-csv.ts';
import { DIMENSIONS } from './filters.ts';

const asked = z.object({
  ...range,
  metric: z
    .array(BreakdownMetric)
    .min(1)
    .max(MOST_METRICS)
    .describe('What is counted. It may be repeated. The first one decides which groups are listed.'),
  dimension: z
    .array(AnalyticsDimension)
    .min(1)
    .max(MOST_BREAKDOWNS)
    .describe(`What the figures are split by, each for itself: ${DIMENSIONS}. It may be repeated.`),
  limit: limit(10),
  compare,
});
type Asked = z.output<typeof asked>;

export const getBreakdowns = manageRoute('GET /api/manage/apps/:appId/analytics/breakdowns', {
  summary: 'Count the events of an app by several dimensions at once; with several figures for each value',
  needs: { role: 'viewer', of: 'app' },
  query: asked,
  reply: QueryBreakdowns.reply,
  errors: REFUSALS,
  handle: ({ params: { appId }, query, caller }, parts) => cardsOf(appId, query, caller, parts),
});

export const exportBreakdown = manageRoute('GET /api/manage/apps/:appId/analytics/breakdowns/export', {
  summary: 'Download the figures of one dimension as CSV: a line for each value',
  needs: { role: 'viewer', of: 'app' },
  query: asked.extend({ dimension: AnalyticsDimension.describe(`What the figures are split by: ${DIMENSIONS}.`) }),
  downloads: [CSV],
  reply: z.instanceof(Reply),
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts) {
    const found = await cardsOf(appId, { ...query, dimension: [query.dimension] }, caller, parts);
    const app = await parts.lookups.existingApp(appId);
    return csvFile(fileNameOf(app, query.dimension, found), breakdownAsCsv(found));
  },
});

export async function cardsOf(appId: string, query: Asked, caller: Asker, parts: ConsoleParts) {
  const { metric: metrics, dimension: dimensions, compare, ...rest } = query;
  const question = { appId, metrics, dimensions, ...askedOf(rest, caller), ...comparedOf(compare) };
  const found = await parts.forward(QueryBreakdowns, question, WAIT);
  const named = found.breakdowns.map(async (breakdown) =>
    breakdown.dimension === 'link'
      ? { ...breakdown, groups: await withNames(breakdown.groups, caller, parts) }
      : breakdown,
  );
  return { ...found, breakdowns: await Promise.all(named) };
}
