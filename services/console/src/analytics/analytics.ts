import {
  AnalyticsInterval,
  AnalyticsMetric,
  LABEL_KEY_LENGTH,
  QueryAnalytics,
  QueryCohorts,
  QueryFunnel,
  QueryReferrals,
  text,
} from '@landfall/contracts';
import { Reply } from '@landfall/http';
import { z } from 'zod';
import { CSV, csvFile } from '../common/csv.ts';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';
import {
  type Asker,
  askedOf,
  type Compare,
  compare,
  comparedOf,
  dimension,
  fileNameOf,
  limit,
  REFUSALS,
  range,
  WAIT,
  withNames,
} from './asked.ts';
import { figuresAsCsv } from './figures-csv.ts';

const analyticsQuery = z.object({
  ...range,
  metric: AnalyticsMetric.describe(
    'What is counted. `visitors`: people who clicked, each once a day; for anything longer the mean of the days.',
  ),
  interval: AnalyticsInterval.default('day').describe('The length of a bucket. `total`: one bucket.'),
  groupBy: dimension().optional(),
  limit: limit(10),
});

export const figures = z.object({
  metric: AnalyticsMetric,
  interval: AnalyticsInterval,
  ...QueryAnalytics.reply.shape,
  buckets: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime().describe('Exclusive.') })),
});
type FiguresView = z.input<typeof figures>;

type Asked = z.output<typeof analyticsQuery> & { compare?: Compare };

export const getAnalytics = manageRoute('GET /api/manage/apps/:appId/analytics', {
  summary: 'Count the events of an app over time, in total or by a dimension',
  needs: { role: 'viewer', of: 'app' },
  query: analyticsQuery.extend({ compare }),
  reply: figures,
  errors: REFUSALS,
  handle: ({ params: { appId }, query, caller }, parts) => countOf(appId, query, caller, parts),
});

export const exportAnalytics = manageRoute('GET /api/manage/apps/:appId/analytics/export', {
  summary: 'Download the same figures as CSV: a line for each bucket and group, with days and hours of the app',
  needs: { role: 'viewer', of: 'app' },
  query: analyticsQuery,
  downloads: [CSV],
  reply: z.instanceof(Reply),
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts) {
    const found = await countOf(appId, query, caller, parts);
    const app = await parts.lookups.existingApp(appId);
    return csvFile(fileNameOf(app, query.metric, found), figuresAsCsv(found));
  },
});

export async function countOf(appId: string, query: Asked, caller: Asker, parts: ConsoleParts): Promise<FiguresView> {
  const { createdAt: appSince } = await parts.lookups.existingApp(appId);
  const { compare, ...asked } = query;
  const { metric, interval, groupBy } = asked;
  const question = { appId, appSince, ...askedOf(asked, caller), ...comparedOf(compare) };
  const { buckets, ...found } = await parts.forward(QueryAnalytics, question, WAIT);
  const groups = groupBy === 'link' && found.groups ? await withNames(found.groups, caller, parts) : found.groups;
  const to = (i: number) => buckets[i + 1] ?? found.to;
  return { metric, interval, ...found, groups, buckets: buckets.map((from, i) => ({ from, to: to(i) })) };
}

const funnelQuery = z.object({ ...range, groupBy: dimension().optional(), limit: limit(10) });

export const getFunnel = manageRoute('GET /api/manage/apps/:appId/analytics/funnel', {
  summary: 'Follow clicks to the devices that they led to: restored links, installs, devices that came back',
  needs: { role: 'viewer', of: 'app' },
  query: funnelQuery,
  reply: QueryFunnel.reply,
  errors: REFUSALS,
  handle: ({ params: { appId }, query, caller }, parts) => funnelOf(appId, query, caller, parts),
});

export async function funnelOf(appId: string, query: z.output<typeof funnelQuery>, caller: Asker, parts: ConsoleParts) {
  const found = await parts.forward(QueryFunnel, { appId, ...askedOf(query, caller) }, WAIT);
  return { ...found, groups: query.groupBy === 'link' ? await withNames(found.groups, caller, parts) : found.groups };
}

export const getCohorts = manageRoute('GET /api/manage/apps/:appId/analytics/cohorts', {
  summary: 'Count the installs of each day; also how many of these devices started the app on each day after',
  needs: { role: 'viewer', of: 'app' },
  query: z.object(range),
  reply: QueryCohorts.reply,
  errors: REFUSALS,
  handle: ({ params: { appId }, query, caller }, { forward }) =>
    forward(QueryCohorts, { appId, ...askedOf(query, caller) }, WAIT),
});

export const getReferrals = manageRoute('GET /api/manage/apps/:appId/analytics/referrals', {
  summary: 'Count the links, taps and installs of each value of a label; for example of each inviter',
  needs: { role: 'viewer', of: 'app' },
  query: z.object({
    ...range,
    label: text(LABEL_KEY_LENGTH).min(1).describe("A key of the app's `labels`, e.g. `inviter`."),
    limit: limit(50),
  }),
  reply: QueryReferrals.reply,
  errors: REFUSALS,
  handle: ({ params: { appId }, query, caller }, { forward }) =>
    forward(QueryReferrals, { appId, ...askedOf(query, caller) }, WAIT),
});
