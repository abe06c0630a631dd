// Messages of the analytics service: questions about the events of an app.
import { z } from 'zod';
import { LABEL_KEY_LENGTH, LABEL_LENGTH, UTM_LENGTH } from '../client.ts';
import { requestsOf } from '../define.ts';
import { instant, orNull, text, uuid } from '../fields.ts';

const { query } = requestsOf('analytics');

/** What can be counted. `visitors` counts each person once a day. */
export const analyticsMetrics = [
  'clicks',
  'visitors',
  'storeRedirects',
  'installs',
  'attributedInstalls',
  'restores',
  'opens',
  'activeDevices',
  'linksCreated',
  'registrations',
  'pushesSent',
  'pushesOpened',
] as const;
export const AnalyticsMetric = z.enum(analyticsMetrics);
export type AnalyticsMetric = z.output<typeof AnalyticsMetric>;

/** What figures can be split and filtered by, besides labels. */
export const analyticsDimensions = [
  'link',
  'country',
  'platform',
  'os',
  'browser',
  'language',
  'referrer',
  'inAppBrowser',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'via',
  'matchType',
  'appVersion',
] as const;
export type FixedDimension = (typeof analyticsDimensions)[number];

export const AnalyticsDimension = z.union([
  z.enum(analyticsDimensions),
  z.templateLiteral(['label:', z.string().regex(/^[\w.~-]{1,50}$/)]),
]);
export type AnalyticsDimension = FixedDimension | `label:${string}`;

/** `total`: one bucket for the whole range. */
export const AnalyticsInterval = z.enum(['hour', 'day', 'week', 'month', 'total']);
export type AnalyticsInterval = z.output<typeof AnalyticsInterval>;

/** A day of the calendar, e.g. `2026-11-23`. */
export const calendarDay = () => z.iso.date();
/** A day in the zone of the app, or an instant. */
const moment = () => z.union([calendarDay(), z.iso.datetime({ offset: true })]);

/** The length of the longest value that can be counted: a host. */
export const FILTER_LENGTH = Math.max(LABEL_LENGTH, UTM_LENGTH, 253);

/** Values of one dimension are alternatives. Different dimensions must all hold. Null: facts without a value. */
export const AnalyticsFilter = z.object({
  dimension: AnalyticsDimension,
  value: text(FILTER_LENGTH).nullable(),
});
export type AnalyticsFilter = z.output<typeof AnalyticsFilter>;

export const MOST_FILTERS = 20;
/** The most groups of an answer. The rest is one group. */
export const MOST_GROUPS = 1_000;

export const AnalyticsSpelling = z.enum(['folded', 'exact']);
export type AnalyticsSpelling = z.output<typeof AnalyticsSpelling>;

export const askedRange = {
  appId: uuid(),
  /** Who asks, so that no caller takes the places of others: the id of a person, or a word for others. Null: unknown. */
  caller: orNull(text(100).min(1)),
  /** Null: 30 days before `to`. */
  from: moment().nullable(),
  /** Exclusive for an instant, inclusive for a day. Null: now. */
  to: moment().nullable(),
  filters: z.array(AnalyticsFilter).max(MOST_FILTERS).default([]),
  /** `folded`: UTM values that differ in capitals and outer spaces alone are one value. `exact`: each spelling is its own. */
  spelling: AnalyticsSpelling.default('folded'),
};

const compared = {
  /** Adds the period of equal length before. */
  previous: z.boolean().default(false),
  /** With `previous`: the same days a year before, in its place. */
  lastYear: z.boolean().default(false),
  /** With `previous`: the same days of the month before, in its place. */
  lastMonth: z.boolean().default(false),
};

const values = () => z.array(z.number()).describe('A figure for each bucket.');
const value = () => z.string().nullable().describe('Null: events without a value.');
/** The console adds it. */
const name = () =>
  z.string().nullable().describe('The name of the link, else its destination, if the value is the id of a link.');

const AnalyticsGroup = z.object({
  value: value(),
  name: name(),
  total: z.number(),
  values: values(),
  /** The total of the period before, for `compare`. */
  previousTotal: z.number().nullable(),
});

export const RANGE_TOO_LONG = z.object({ buckets: z.int(), limit: z.int() });
/** The range ends before it begins. */
export const RANGE_EMPTY = z.object({});
export const DIMENSION_UNKNOWN = z.object({ dimension: text(60), metric: text(60) });

/** Answering takes longer than anybody waits: too many events must be read one by one. */
export const QUESTION_TOO_LARGE = z.object({});
/** The caller asks more than may wait. It may ask again after some seconds. */
export const TOO_MANY_QUESTIONS = z.object({ seconds: z.int().min(1) });

const time = () => z.iso.datetime();

/** The range of every answer. The management API shows the answers as they are. */
export const coveredRange = {
  timeZone: z.string().describe("The app's time zone, in which days and hours are counted."),
  from: time(),
  to: time().describe('Exclusive.'),
  completeFrom: time()
    .nullable()
    .describe('Figures before this time are not complete. Null: nothing was counted so far.'),
};

const comparedWith = {
  from: time(),
  to: time().describe(
    'Exclusive. It is the end of a day or an hour when single events of that time are not kept any more.',
  ),
  complete: z
    .boolean()
    .default(true)
    .describe('False: a part of it is before the time since which figures are complete.'),
};

const key = (input: { appId: string }) => input.appId;

export const questionRefusals = {
  RANGE_EMPTY,
  RANGE_TOO_LONG,
  DIMENSION_UNKNOWN,
  QUESTION_TOO_LARGE,
  TOO_MANY_QUESTIONS,
};

export const QueryAnalytics = query('QueryAnalytics', {
  description: 'Counts the events of an app over time, in total or by a dimension.',
  input: z.object({
    ...askedRange,
    metric: AnalyticsMetric,
    interval: AnalyticsInterval,
    groupBy: orNull(AnalyticsDimension),
    /** The number of groups. The rest is one group, `other`. */
    limit: z.int().min(1).max(MOST_GROUPS).default(100),
    /** When the app was made: the mean of visitors begins there. Null: unknown. */
    appSince: orNull(instant()),
    ...compared,
  }),
  reply: z.object({
    ...coveredRange,
    source: z
      .enum(['counts', 'facts'])
      .describe('`counts`: kept forever. `facts`: single events, kept for a limited time (`KEEP_ANALYTICS_DAYS`).'),
    /** The beginnings of the buckets. The last bucket ends at `to`. */
    buckets: z.array(time()),
    total: z.number(),
    values: values(),
    previous: z
      .object({ ...comparedWith, total: z.number(), values: values() })
      .nullable()
      .describe('The period that `compare` names.'),
    groups: z.array(AnalyticsGroup).nullable().describe('With `groupBy`: the groups with the greatest totals.'),
    /** Null also for visitors. */
    other: z
      .object({ groups: z.int(), total: z.number(), values: values() })
      .nullable()
      .describe('The sum of all groups that are not listed.'),
  }),
  refusals: questionRefusals,
  key,
});

const delay = z
  .object({ median: z.number(), p90: z.number() })
  .nullable()
  .describe('Seconds since the click. Null: the events of this step do not name their click, or there are none.');

/** Each step is a part of the one before. */
export const funnelSteps = ['clicks', 'restores', 'installs', 'opens'] as const;

export const QueryFunnel = query('QueryFunnel', {
  description:
    'Follows the clicks of a range to the devices that they led to: how many were restored, led to an install, and to a device that came back.',
  input: z.object({
    ...askedRange,
    groupBy: orNull(AnalyticsDimension),
    limit: z.int().min(1).max(MOST_GROUPS).default(20),
  }),
  reply: z.object({
    ...coveredRange,
    groups: z.array(
      z.object({
        value: value(),
        name: name(),
        steps: z.array(
          z.object({
            step: z
              // A service of the version before also answers with `storeRedirects`.
              .enum([...funnelSteps, 'storeRedirects'])
              .describe(
                'Clicks in the range. Each step counts clicks of the step before. `restores`: a start of the app got the link of the click. `installs`: that was within a day of the install of the device, and no later click led to it. `opens`: this device started the app again on a later day.',
              ),
            count: z.int().nullable(),
            sinceClick: delay,
          }),
        ),
      }),
    ),
  }),
  refusals: questionRefusals,
  key,
});

/** Visitors of several days are a mean, and no sum of groups. */
export const BreakdownMetric = AnalyticsMetric.exclude(['visitors']);
export type BreakdownMetric = z.output<typeof BreakdownMetric>;
export const MOST_BREAKDOWNS = 20;
export const MOST_METRICS = 3;

const inOrder = () => z.array(z.int().nullable());

export const QueryBreakdowns = query('QueryBreakdowns', {
  description: 'Counts the events of an app by several dimensions, each by itself.',
  input: z.object({
    ...askedRange,
    /** The first one decides which groups are listed. */
    metrics: z.array(BreakdownMetric).min(1).max(MOST_METRICS),
    dimensions: z.array(AnalyticsDimension).min(1).max(MOST_BREAKDOWNS),
    /** The number of groups of each dimension. */
    limit: z.int().min(1).max(MOST_GROUPS).default(10),
    ...compared,
  }),
  reply: z.object({
    ...coveredRange,
    previous: z.object(comparedWith).nullable().describe('The period that `compare` names.'),
    metrics: z
      .array(z.object({ metric: BreakdownMetric, total: z.int().nullable() }))
      .describe('Each metric with the sum of all groups. Null: the metric does not have a dimension of a filter.'),
    breakdowns: z.array(
      z.object({
        dimension: z.string(),
        completeFrom: coveredRange.completeFrom,
        groups: z
          .array(
            z.object({
              value: value(),
              name: name(),
              totals: inOrder().describe(
                'A total for each metric, in the order of `metrics`. Null: the metric does not have this dimension.',
              ),
              previousTotals: inOrder().nullable().describe('The same of `previous`.'),
            }),
          )
          .describe('The groups with the greatest totals of the first metric.'),
        groupCount: z.int().describe('The number of all groups.'),
      }),
    ),
  }),
  refusals: questionRefusals,
  key,
});

/** The days after the install for which cohorts are counted. */
export const COHORT_DAYS = 30;

export const QueryCohorts = query('QueryCohorts', {
  description: 'Counts the installs of each day and how many of these devices started the app on each day after.',
  input: z.object(askedRange),
  reply: z.object({
    ...coveredRange,
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
  refusals: questionRefusals,
  key,
});

export const QueryReferrals = query('QueryReferrals', {
  description: 'Counts the links, taps and installs of each value of a label, for example of each inviter.',
  input: z.object({
    ...askedRange,
    label: text(LABEL_KEY_LENGTH).min(1),
    limit: z.int().min(1).max(MOST_GROUPS).default(100),
  }),
  reply: z.object({
    ...coveredRange,
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
  refusals: questionRefusals,
  key,
});
