// Routes of the figures of an app.

import {
  AnalyticsDimension,
  AnalyticsFilter,
  AnalyticsInterval,
  AnalyticsMetric,
  analyticsDimensions,
  COHORT_DAYS,
  calendarDay,
  FILTER_LENGTH,
  funnelSteps,
  LABEL_KEY_LENGTH,
  MOST_FILTERS,
  MOST_GROUPS,
  QueryAnalytics,
  QueryCohorts,
  QueryFunnel,
  QueryReferrals,
  type ReplyOf,
  text,
} from '@landfall/contracts';
import { Download, orRefuse } from '@landfall/http';
import { z } from 'zod';
import type { Caller } from '../access/principal.ts';
import { CSV, csvFile } from '../common/csv.ts';
import { type ConsoleParts, manageRoute } from '../routing/route.ts';
import { figuresAsCsv } from './figures-csv.ts';

const REFUSALS = [
  'RANGE_EMPTY',
  'RANGE_TOO_LONG',
  'DIMENSION_UNKNOWN',
  'QUESTION_TOO_LARGE',
  'TOO_MANY_QUESTIONS',
] as const;
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

const time = () => z.iso.datetime();
const covered = {
  timeZone: z.string().describe("The app's time zone, in which days and hours are counted."),
  from: time(),
  to: time().describe('Exclusive.'),
  completeFrom: time()
    .nullable()
    .describe('Figures before this time are not complete. Null: nothing was counted so far.'),
};
const values = () => z.array(z.number()).describe('A figure for each bucket.');
const value = () => z.string().nullable().describe('Null: events without a value.');
const name = () => z.string().nullable().describe('The slug, if the value is the id of a link.');

const figures = z.object({
  metric: AnalyticsMetric,
  interval: AnalyticsInterval,
  ...covered,
  source: z
    .enum(['counts', 'facts'])
    .describe('`counts`: kept forever. `facts`: single events, kept for a limited time (`KEEP_ANALYTICS_DAYS`).'),
  buckets: z.array(z.object({ from: time(), to: time().describe('Exclusive.') })),
  total: z.number(),
  values: values(),
  previous: z
    .object({ from: time(), to: time(), total: z.number(), values: values() })
    .nullable()
    .describe('The period of equal length before, with `compare=previous`.'),
  groups: z
    .array(
      z.object({
        value: value(),
        name: name(),
        total: z.number(),
        values: values(),
        previousTotal: z.number().nullable(),
      }),
    )
    .nullable()
    .describe('With `groupBy`: the groups with the greatest totals.'),
  other: z
    .object({ groups: z.int(), total: z.number(), values: values() })
    .nullable()
    .describe('The sum of all groups that are not listed.'),
});
type FiguresView = z.input<typeof figures>;

type Asked = z.output<typeof analyticsQuery> & { compare?: 'previous' | undefined };

export const getAnalytics = manageRoute('GET /api/manage/apps/:appId/analytics', {
  name: 'getAnalytics',
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
  name: 'exportAnalytics',
  summary: 'Download the same figures as CSV: a line for each bucket and group, with days and hours of the app',
  needs: { role: 'viewer', of: 'app' },
  query: analyticsQuery,
  downloads: [CSV],
  reply: z.instanceof(Download),
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts) {
    const found = await count(appId, query, caller, parts);
    return csvFile(query.metric, figuresAsCsv(found));
  },
});

async function count(appId: string, query: Asked, caller: Caller | null, parts: ConsoleParts): Promise<FiguresView> {
  const app = await parts.lookups.existingApp(appId);
  const { metric, interval, groupBy = null, limit, compare } = query;
  const answer = await parts.bus.ask(
    QueryAnalytics,
    {
      appId: app.id,
      appSince: app.createdAt,
      metric,
      interval,
      groupBy,
      limit,
      ...askedOf(query, caller),
      previous: compare === 'previous',
    },
    WAIT,
  );
  const { buckets, ...found } = orRefuse(answer);
  const named = groupBy === 'link' && found.groups ? await withSlugs(found.groups, parts) : found.groups;
  const to = (i: number) => buckets[i + 1] ?? found.to;
  return { metric, interval, ...found, groups: named, buckets: buckets.map((from, i) => ({ from, to: to(i) })) };
}

type Range = Pick<Asked, 'from' | 'to' | 'filter'>;

/** What all questions have. */
const askedOf = ({ from, to, filter }: Range, caller: Caller | null) => ({
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

const delay = z
  .object({ median: z.number(), p90: z.number() })
  .nullable()
  .describe('Seconds since the click. Null: the events of this step do not name their click, or there are none.');

export const getFunnel = manageRoute('GET /api/manage/apps/:appId/analytics/funnel', {
  name: 'getFunnel',
  summary: 'Count how many clicks led to the store, to an install, to restored links and to opens',
  needs: { role: 'viewer', of: 'app' },
  query: z.object({ ...range, groupBy: dimension().optional(), limit: limit(10) }),
  reply: z.object({
    ...covered,
    groups: z.array(
      z.object({
        value: value(),
        name: name(),
        steps: z.array(
          z.object({
            step: z
              .enum(funnelSteps)
              .describe(
                'Events in the range. `installs`: installs that a link led to. `opens`: openings by the installed app, also without a click.',
              ),
            count: z.int().nullable().describe('Null: this step cannot be split or filtered like this.'),
            sinceClick: delay,
          }),
        ),
      }),
    ),
  }),
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts) {
    const app = await parts.lookups.existingApp(appId);
    const { groupBy = null, limit } = query;
    const found = orRefuse(
      await parts.bus.ask(QueryFunnel, { appId: app.id, groupBy, limit, ...askedOf(query, caller) }, WAIT),
    );
    return { ...found, groups: groupBy === 'link' ? await withSlugs(found.groups, parts) : found.groups };
  },
});

export const getCohorts = manageRoute('GET /api/manage/apps/:appId/analytics/cohorts', {
  name: 'getCohorts',
  summary: 'Count the installs of each day, and how many of these devices started the app on each day after',
  needs: { role: 'viewer', of: 'app' },
  query: z.object(range),
  reply: z.object({
    ...covered,
    cohorts: z.array(
      z.object({
        day: calendarDay(),
        installs: z.int(),
        active: z
          .array(z.int().nullable())
          .describe(
            `Devices that started the app 1 to ${COHORT_DAYS} days of 24 hours after their install. Null: not over yet.`,
          ),
      }),
    ),
  }),
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts: ConsoleParts): Promise<ReplyOf<typeof QueryCohorts>> {
    const app = await parts.lookups.existingApp(appId);
    return parts.forward(QueryCohorts, { appId: app.id, ...askedOf(query, caller) }, WAIT);
  },
});

export const getReferrals = manageRoute('GET /api/manage/apps/:appId/analytics/referrals', {
  name: 'getReferrals',
  summary: 'Count the links, taps and installs of each value of a label, e.g. of each inviter',
  needs: { role: 'viewer', of: 'app' },
  query: z.object({
    ...range,
    label: text(LABEL_KEY_LENGTH).min(1).describe("A key of the app's `labels`, e.g. `inviter`."),
    limit: limit(50),
  }),
  reply: z.object({
    ...covered,
    referrals: z.array(
      z.object({
        value: z.string(),
        links: z.int().describe('Links created with this label: invites sent.'),
        tappedLinks: z.int().describe('Links that were clicked at least once in the range.'),
        clicks: z.int(),
        installs: z.int().describe('Installs that these links led to.'),
      }),
    ),
  }),
  errors: REFUSALS,
  async handle({ params: { appId }, query, caller }, parts: ConsoleParts): Promise<ReplyOf<typeof QueryReferrals>> {
    const app = await parts.lookups.existingApp(appId);
    const { label, limit } = query;
    return parts.forward(QueryReferrals, { appId: app.id, label, limit, ...askedOf(query, caller) }, WAIT);
  },
});
