// Messages of the analytics service about single events: those that a figure counts, and the latest of an app.
import { z } from 'zod';
import { LABEL_KEY_LENGTH, LABEL_LENGTH, UTM_LENGTH } from '../client.ts';
import { requestsOf } from '../define.ts';
import { cursor, instant, page, text, uuid } from '../fields.ts';
import { askedRange, BreakdownMetric, coveredRange, questionRefusals } from './questions.ts';

const { query } = requestsOf('analytics');
const key = (input: { appId: string }) => input.appId;

/** A figure whose rows can be listed: a metric, or a step of the funnel after its first one, which are taps that led there. */
export const ListedFigure = z.enum([...BreakdownMetric.options, 'funnel.restores', 'funnel.installs', 'funnel.opens']);
export type ListedFigure = z.output<typeof ListedFigure>;

const shown = (max: number) => text(max).nullable();

/** One of the events that a figure counts, without anything that identifies a person. Null: not known. */
export const CountedEvent = z.object({
  id: z.guid().describe('Of an install from a link: its `device`. Of all others: of the event.'),
  at: instant().describe('An opening by the installed app has the minute.'),
  linkId: uuid().nullable(),
  /** Of a tap and an opening: itself. Of an install or a restore: the tap that led to it. */
  tapId: uuid().nullable(),
  /** The first half of the hash of a device. Of an event of a push: the id of the device that is registered. */
  device: z.guid().nullable(),
  country: shown(2),
  platform: shown(20),
  os: shown(50),
  browser: shown(50),
  language: shown(20),
  referrer: shown(253),
  inAppBrowser: shown(50),
  via: shown(20),
  utmSource: shown(UTM_LENGTH),
  utmMedium: shown(UTM_LENGTH),
  utmCampaign: shown(UTM_LENGTH),
  matchType: shown(20),
  appVersion: shown(50),
  answered: z
    .enum(['store', 'web', 'page', 'app'])
    .nullable()
    .describe(
      'Of a tap: what the person got. Null: not a store; stored by an older version. Of an opening: the installed app.',
    ),
});
export type CountedEvent = z.output<typeof CountedEvent>;

export const ListEvents = query('ListEvents', {
  description: 'Lists the events that a figure counts, latest first.',
  input: z.object({ ...askedRange, figure: ListedFigure, ...page }),
  reply: z.object({
    ...coveredRange,
    total: z.int().nullable().describe('The number of all rows. Null on later pages.'),
    events: z.array(CountedEvent),
    next: cursor().nullable(),
  }),
  refusals: questionRefusals,
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
  /** The first half of the hash of a device. Of an event of a push: the id of the device that is registered. */
  device: z.guid().nullable().default(null),
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
/** The latest events of an app among which one kind is looked for. A rare kind must not cost a read of all events. */
export const SEARCHED_LIVE_EVENTS = 100_000;

export const ListLiveEvents = query('ListLiveEvents', {
  description: 'Lists the latest events of an app, oldest first.',
  input: z.object({
    appId: uuid(),
    /** Only events of this time or later. */
    since: instant(),
    /** Of more events, the latest. */
    limit: z.int().min(1).max(MOST_LIVE_EVENTS),
    /** Only events of this kind. Null: all. */
    kind: LiveEvent.shape.kind.nullish(),
  }),
  reply: z.object({ events: z.array(LiveEvent) }),
  key,
});
