// Messages of the analytics service: questions about the events of an app.
import { z } from 'zod';
import { timeZone } from './account/time-zone.ts';
import { LABEL_KEY_LENGTH, LABEL_LENGTH, UTM_LENGTH } from './client.ts';
import { requestsOf } from './define.ts';
import { instant, orNull, text, uuid } from './fields.ts';

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

const range = {
  appId: uuid(),
  /** Who asks, so that no caller takes the places of others: the id of a person, or a word for others. Null: unknown. */
  caller: orNull(text(100).min(1)),
  /** Null: 30 days before `to`. */
  from: moment().nullable(),
  /** Exclusive for an instant, inclusive for a day. Null: now. */
  to: moment().nullable(),
  filters: z.array(AnalyticsFilter).max(MOST_FILTERS).default([]),
};

/** One figure for each bucket. */
const values = () => z.array(z.number().min(0));

const AnalyticsGroup = z.object({
  /** The value of the dimension. Null: facts without a value. */
  value: text(300).nullable(),
  /** A name for people, where the value is an id: the slug of a link. */
  name: text(300).nullable(),
  total: z.number().min(0),
  values: values(),
  /** The total of the period before, for `compare`. */
  previousTotal: z.number().min(0).nullable(),
});

export const RANGE_TOO_LONG = z.object({ buckets: z.int(), limit: z.int() });
/** The range ends before it begins. */
export const RANGE_EMPTY = z.object({});
export const DIMENSION_UNKNOWN = z.object({ dimension: text(60), metric: text(60) });

/** Answering takes longer than anybody waits: too many events must be read one by one. */
export const QUESTION_TOO_LARGE = z.object({});
/** The caller asks more than may wait. It may ask again after some seconds. */
export const TOO_MANY_QUESTIONS = z.object({ seconds: z.int().min(1) });

/** The zone of the app, and the range that an answer covers. */
const covered = { timeZone: timeZone(), from: instant(), to: instant() };

const key = (input: { appId: string }) => input.appId;

const refusals = { RANGE_TOO_LONG, RANGE_EMPTY, DIMENSION_UNKNOWN, QUESTION_TOO_LARGE, TOO_MANY_QUESTIONS };

export const QueryAnalytics = query({
  name: 'QueryAnalytics',
  description: 'Counts the events of an app over time, in total or by a dimension.',
  input: z.object({
    ...range,
    metric: AnalyticsMetric,
    interval: AnalyticsInterval,
    groupBy: orNull(AnalyticsDimension),
    /** The number of groups. The rest is one group, `other`. */
    limit: z.int().min(1).max(MOST_GROUPS).default(100),
    /** When the app was made: the mean of visitors begins there. Null: unknown. */
    appSince: orNull(instant()),
    /** Adds the period of equal length before. */
    previous: z.boolean().default(false),
  }),
  reply: z.object({
    ...covered,
    /** The beginnings of the buckets. The last bucket ends at `to`. */
    buckets: z.array(instant()),
    total: z.number().min(0),
    values: values(),
    previous: z.object({ from: instant(), to: instant(), total: z.number().min(0), values: values() }).nullable(),
    /** Null without `groupBy`. The greatest total is first. */
    groups: z.array(AnalyticsGroup).nullable(),
    /** The sum of the groups that are not in `groups`. Null when there are none, or for visitors. */
    other: z.object({ groups: z.int().min(1), total: z.number().min(0), values: values() }).nullable(),
    /** The time since which the answer is complete. Null: from the first event. */
    completeFrom: instant().nullable(),
    /** `counts`: kept forever. `facts`: kept for a limited time. */
    source: z.enum(['counts', 'facts']),
  }),
  refusals,
  key,
});

/** A duration in seconds, over those who took the step. Null when nobody did. */
const duration = () => z.object({ median: z.number().min(0), p90: z.number().min(0) }).nullable();

export const funnelSteps = ['clicks', 'storeRedirects', 'installs', 'restores', 'opens'] as const;

export const QueryFunnel = query({
  name: 'QueryFunnel',
  description: 'Counts how many clicks led to the store, to an install, to a restore and to an open.',
  input: z.object({
    ...range,
    groupBy: orNull(AnalyticsDimension),
    limit: z.int().min(1).max(MOST_GROUPS).default(20),
  }),
  reply: z.object({
    ...covered,
    groups: z.array(
      z.object({
        value: text(300).nullable(),
        name: text(300).nullable(),
        steps: z.array(
          z.object({
            step: z.enum(funnelSteps),
            /** Null: the step has no such dimension. */
            count: z.int().min(0).nullable(),
            /** The time since the click. Null for steps that do not name their click. */
            sinceClick: duration(),
          }),
        ),
      }),
    ),
    completeFrom: instant().nullable(),
  }),
  refusals,
  key,
});

/** The days after the install for which cohorts are counted. */
export const COHORT_DAYS = 30;

export const QueryCohorts = query({
  name: 'QueryCohorts',
  description: 'Counts the installs of each day and how many of these devices started the app on each day after.',
  input: z.object(range),
  reply: z.object({
    ...covered,
    cohorts: z.array(
      z.object({
        day: calendarDay(),
        installs: z.int().min(0),
        /** The devices that started the app N days after the install, from day 1. Null: the day is not over. */
        active: z.array(z.int().min(0).nullable()).max(COHORT_DAYS),
      }),
    ),
    completeFrom: instant().nullable(),
  }),
  refusals,
  key,
});

export const QueryReferrals = query({
  name: 'QueryReferrals',
  description: 'Counts the links, taps and installs of each value of a label, for example of each inviter.',
  input: z.object({
    ...range,
    label: text(LABEL_KEY_LENGTH).min(1),
    limit: z.int().min(1).max(MOST_GROUPS).default(100),
  }),
  reply: z.object({
    ...covered,
    referrals: z.array(
      z.object({
        value: text(LABEL_LENGTH),
        /** Links created with the label: invites sent. */
        links: z.int().min(0),
        tappedLinks: z.int().min(0),
        clicks: z.int().min(0),
        installs: z.int().min(0),
      }),
    ),
    completeFrom: instant().nullable(),
  }),
  refusals,
  key,
});

export const liveKinds = [
  'click',
  'open',
  'install',
  'restore',
  'active',
  'linkCreated',
  'registration',
  'pushSent',
  'pushOpened',
] as const;

/** An event without anything that identifies a person. */
export const LiveEvent = z.object({
  id: uuid(),
  at: instant(),
  kind: z.enum(liveKinds),
  linkId: uuid().nullable(),
  country: text(2).nullable(),
  platform: text(20).nullable(),
  os: text(50).nullable(),
  browser: text(50).nullable(),
  referrer: text(253).nullable(),
  inAppBrowser: text(50).nullable(),
  via: text(20).nullable(),
  utmCampaign: text(200).nullable(),
  matchType: text(20).nullable(),
  /** Of a click: the person was sent to a store. */
  toStore: z.boolean().nullable(),
  appVersion: text(50).nullable(),
  labels: z.record(text(LABEL_KEY_LENGTH), text(LABEL_LENGTH)),
});
export type LiveEvent = z.output<typeof LiveEvent>;

export const MOST_LIVE_EVENTS = 500;

export const ListLiveEvents = query({
  name: 'ListLiveEvents',
  description: 'Lists the latest events of an app, oldest first.',
  input: z.object({
    appId: uuid(),
    /** Only events of this time or later. */
    since: instant(),
    /** Of more events, the latest. */
    limit: z.int().min(1).max(MOST_LIVE_EVENTS),
  }),
  reply: z.object({ events: z.array(LiveEvent) }),
  key,
});
