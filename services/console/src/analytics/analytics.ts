import {
  AnalyticsDimension,
  AnalyticsFilter,
  AnalyticsInterval,
  AnalyticsMetric,
  analyticsDimensions,
  calendarDay,
  FILTER_LENGTH,
  LABEL_KEY_LENGTH,
  MOST_FILTERS,
  MOST_GROUPS,
  QueryAnalytics,
  QueryCohorts,
  QueryFunnel,
  QueryReferrals,
  text,
} from '@landfall/contracts';
import { Reply } from '@landfall/http';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { CSV, csvFile } from '../common/csv.ts';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';
import { figuresAsCsv } from './figures-csv.ts';

/** All questions have the same. */
const REFUSALS = Object.keys(QueryAnalytics.refusals) as (keyof typeof QueryAnalytics.refusals)[];
/** Milliseconds. Questions that single events answer may take long, and wait for each other. */
const WAIT = { timeoutMs: 25_000 };

const LAST = Date.UTC(2_200, 0);
/** A day, or an instant in UTC. */
const moment = () =>
  z
    .union([calendarDay(), z.iso.datetime({ offset: true })], { error: 'must be a day such as 2026-11-23, or a time' })
    .refine((given) => Date.parse(given) >= 0 && Date.parse(given) <= LAST, {
      error: 'must be between the years 1970 and 2200',
    });

const DIMENSIONS = `\`${analyticsDimensions.join('`, `')}\`, or \`label:\` with the key of a label`;

const filter = () =>
  text(400)
    .transform((given, context): AnalyticsFilter => {
      const [, name = '', value = ''] = /^((?:label:)?[^:]+):(.*)$/s.exec(given) ?? [];
      const filter = AnalyticsFilter.safeParse({ dimension: name, value: value || null });
      if (filter.success) return filter.data;
      const isLong = AnalyticsDimension.safeParse(name).success;
      context.addIssue({
        code: 'custom',
        message: isLong
          ? `must have a value of at most ${FILTER_LENGTH} characters`
          : `must be a dimension, a colon and a value. Dimensions: ${DIMENSIONS}`,
      });
      return z.NEVER;
    })
    .meta({ type: 'string' });

const range = {
  from: moment()
    .optional()
    .describe("A day in the app's time zone, or a time. If omitted: 30 days, which end with the day of `to`."),
  to: moment().optional().describe('A day, which is included, or a time, which is not. If omitted: the present.'),
  filter: z
    .array(filter())
    .max(MOST_FILTERS)
    .default([])
    .describe(
      'A dimension, a colon and a value, e.g. `country:DE`; no value: events without one. It may be repeated: values of one dimension are alternatives.',
    ),
};

const dimension = () =>
  AnalyticsDimension.describe(`Splits the figures by a dimension: ${DIMENSIONS}. Not every metric has all of them.`);
const limit = (value: number) =>
  z.coerce.number<string>().int().min(1).max(MOST_GROUPS).default(value).describe('The most groups.');

const analyticsQuery = z.object({
  ...range,
  metric: AnalyticsMetric.describe(
    'What is counted. `visitors`: people who clicked, each once a day; for anything longer the mean of the days.',
  ),
  interval: AnalyticsInterval.default('day').describe('The length of a bucket. `total`: one bucket.'),
  groupBy: dimension().optional(),
  limit: limit(10),
});

const figures = z.object({
  metric: AnalyticsMetric,
  interval: AnalyticsInterval,
  ...QueryAnalytics.reply.shape,
  buckets: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime().describe('Exclusive.') })),
});
type FiguresView = z.input<typeof figures>;

type Asked = z.output<typeof analyticsQuery> & { compare?: 'previous' | undefined };

export const getAnalytics = manageRoute('GET /api/manage/apps/:appId/analytics', {
  summary: 'Count the events of an app over time, in total or by a dimension',
  needs: { role: 'viewer', of: 'app' },
  query: analyticsQuery.extend({
    compare: z.enum(['previous']).optional().describe('Adds the period of equal length before.'),
  }),
  reply: figures,
  errors: REFUSALS,
  handle: ({ params: { appId }, query, caller }, parts) => count(appId, query, caller, parts),
});

export const exportAnalytics = manageRoute('GET /api/manage/apps/:appId/analytics/export', {
  summary: 'Download the same figures as CSV: a line for each bucket and group, with days and hours of the app',
  needs: { role: 'viewer', of: 'app' },
  query: analyticsQuery,
  downloads: [CSV],
  reply: z.instanceof(Reply),
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts) {
    const found = await count(appId, query, caller, parts);
    return csvFile(query.metric, figuresAsCsv(found));
  },
});

async function count(appId: string, query: Asked, caller: Caller | null, parts: ConsoleParts): Promise<FiguresView> {
  const { createdAt: appSince } = await parts.lookups.existingApp(appId);
  const { compare, ...asked } = query;
  const { metric, interval, groupBy } = asked;
  const question = { appId, appSince, ...askedOf(asked, caller), previous: compare === 'previous' };
  const { buckets, ...found } = await parts.forward(QueryAnalytics, question, WAIT);
  const groups = groupBy === 'link' && found.groups ? await withSlugs(found.groups, parts) : found.groups;
  const to = (i: number) => buckets[i + 1] ?? found.to;
  return { metric, interval, ...found, groups, buckets: buckets.map((from, i) => ({ from, to: to(i) })) };
}

type Range = Pick<Asked, 'from' | 'to' | 'filter'>;

/** Returns a question as analytics reads it. */
const askedOf = <Q extends Range>({ from, to, filter, ...rest }: Q, caller: Caller | null) => ({
  ...rest,
  caller: nameOf(caller),
  from: from ?? null,
  to: to ?? null,
  filters: filter,
});

/** A person is one caller, in whatever session and with whatever token. All visitors of a demo are one caller. */
function nameOf(caller: Caller | null): string {
  if (caller === null || caller.kind === 'visitor') return 'visitor';
  return caller.kind === 'operator' ? 'operator' : caller.userId;
}

type Named = { value: string | null; name: string | null };

/** Adds the slugs of links. A link that cannot be read stays without. */
function withSlugs<G extends Named>(groups: readonly G[], { lookups }: ConsoleParts): Promise<G[]> {
  return Promise.all(
    groups.map(async (group) => {
      const link = group.value === null ? null : await lookups.link(group.value).catch(() => null);
      return { ...group, name: link?.slug ?? null };
    }),
  );
}

export const getFunnel = manageRoute('GET /api/manage/apps/:appId/analytics/funnel', {
  summary: 'Count how many clicks led to the store, to an install, to restored links and to opens',
  needs: { role: 'viewer', of: 'app' },
  query: z.object({ ...range, groupBy: dimension().optional(), limit: limit(10) }),
  reply: QueryFunnel.reply,
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts) {
    const found = await parts.forward(QueryFunnel, { appId, ...askedOf(query, caller) }, WAIT);
    return { ...found, groups: query.groupBy === 'link' ? await withSlugs(found.groups, parts) : found.groups };
  },
});

export const getCohorts = manageRoute('GET /api/manage/apps/:appId/analytics/cohorts', {
  summary: 'Count the installs of each day, and how many of these devices started the app on each day after',
  needs: { role: 'viewer', of: 'app' },
  query: z.object(range),
  reply: QueryCohorts.reply,
  errors: REFUSALS,
  handle: ({ params: { appId }, query, caller }, { forward }) =>
    forward(QueryCohorts, { appId, ...askedOf(query, caller) }, WAIT),
});

export const getReferrals = manageRoute('GET /api/manage/apps/:appId/analytics/referrals', {
  summary: 'Count the links, taps and installs of each value of a label, e.g. of each inviter',
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
