// Messages of the analytics service about single links: their figures, taps and installs.
import { z } from 'zod';
import { MatchType } from '../attribution.ts';
import { requestsOf } from '../define.ts';
import { cursor, instant, orNull, page, text, uuid } from '../fields.ts';
import { TOO_MANY_QUESTIONS } from './questions.ts';

const { query } = requestsOf('analytics');
const key = (input: { appId: string }) => input.appId;

/** The days for which links have figures. The last one is today, in the zone of the app. */
export const figureDays = [7, 30, 90] as const;
export type FigureDays = (typeof figureDays)[number];

export const LinkSort = z.enum(['clicks', 'installs', 'rate']);
export type LinkSort = z.output<typeof LinkSort>;

export const MOST_LINK_FIGURES = 200;
/** The most links that an order by figures may be limited to. */
export const MOST_SORTED_LINKS = 10_000;

const count = () => z.int().min(0);

export const LinkFigures = z.object({
  clicks: count().describe('Taps in the range.'),
  installs: count().describe('Installs in the range that the link led to.'),
  lastTapAt: instant().nullable().describe('The time of the latest tap, also before the range. Null: it is not known.'),
});
export type LinkFigures = z.output<typeof LinkFigures>;

/** Links with fewer taps have no place in an order by rate: one install of one tap says little. */
export const LEAST_TAPS_OF_RATE = 20;

/** A rate is a whole number: the installs for so many taps. */
export const TAPS_OF_RATE = 1_000_000;

/** Returns the number by which a link is sorted. Of a rate: its installs for {@link TAPS_OF_RATE}. Null: it has no place in the order. */
export function placeIn(sort: LinkSort, { clicks, installs }: Pick<LinkFigures, 'clicks' | 'installs'>): number | null {
  if (sort === 'rate') return clicks < LEAST_TAPS_OF_RATE ? null : Math.floor((installs * TAPS_OF_RATE) / clicks);
  return { clicks, installs }[sort] || null;
}

export const QueryLinkFigures = query('QueryLinkFigures', {
  description: 'Counts the taps and installs of links: of some links, or of those with the most.',
  input: z.object({
    appId: uuid(),
    /** Who asks, as in other questions. */
    caller: orNull(text(100).min(1)),
    days: z.union([z.literal(7), z.literal(30), z.literal(90)]),
    /** Null: all links of the app. */
    linkIds: z.array(uuid()).max(MOST_SORTED_LINKS).nullable(),
    /** The links with the most come first, and those without a {@link placeIn} are left out. Null: all `linkIds`, in no order. */
    sort: LinkSort.nullable(),
    /** Continues behind this link of a sorted answer, with its {@link placeIn}. */
    after: z.object({ n: count(), linkId: uuid() }).nullable(),
    limit: z.int().min(1).max(MOST_LINK_FIGURES),
  }),
  reply: z.object({ links: z.array(LinkFigures.extend({ linkId: uuid() })) }),
  refusals: { TOO_MANY_QUESTIONS },
  key,
});

const value = (max: number) => text(max).nullable();

export const Tap = z.object({
  tapId: uuid(),
  at: instant().describe('An opening by the installed app has the minute.'),
  country: value(2),
  platform: value(20),
  os: value(50),
  osVersion: value(20),
  browser: value(50),
  inAppBrowser: value(50).describe('The app whose browser opened the link.'),
  language: value(20),
  referrer: value(253),
  via: value(20).describe('`link`, `qr` or `banner`.'),
  utmCampaign: value(255),
  answered: z
    .enum(['store', 'web', 'page', 'app'])
    .nullable()
    .describe(
      'What the person got: a store, the web page, a page with buttons, or the installed app, which opened the link by itself. Null: not a store; stored by an older version.',
    ),
});
export type Tap = z.output<typeof Tap>;

const ofLink = { appId: uuid(), linkId: uuid(), ...page };

export const ListTaps = query('ListTaps', {
  description: 'Lists the taps of a link, and its openings by installed apps, latest first.',
  input: z.object(ofLink),
  reply: z.object({ taps: z.array(Tap), next: cursor().nullable() }),
  key,
});

export const LinkInstall = z.object({
  at: instant(),
  country: value(2),
  platform: value(20),
  appVersion: value(50),
  matchType: MatchType.nullable(),
  /** The tap that led to it. */
  tapId: uuid().nullable(),
});
export type LinkInstall = z.output<typeof LinkInstall>;

export const ListLinkInstalls = query('ListLinkInstalls', {
  description: 'Lists the installs that a link led to, latest first.',
  input: z.object(ofLink),
  reply: z.object({ installs: z.array(LinkInstall), next: cursor().nullable() }),
  key,
});
