// What a share shows: a stored question about the figures of an app. Viewers may narrow it, and ask nothing else.
import { daysOf, firstDay, isDay, PRESETS } from '@landfall/api-client/ranges';
import {
  AnalyticsDimension,
  type AnalyticsFilter,
  AnalyticsMetric,
  AnalyticsSpelling,
  BreakdownMetric,
  calendarDay,
  MOST_BREAKDOWNS,
  MOST_FILTERS,
  MOST_METRICS,
} from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { filterTexts, readFilters } from '../analytics/filters.ts';

const MOST_FIGURES = 8;
const MOST_ORIGINS = 10;

export const ShareView = z.object({
  range: z.enum(PRESETS).default('30').describe('The days, up to the present. `from` and `to` come before it.'),
  from: calendarDay().nullable().default(null).describe("With `to`: a fixed first day in the app's time zone."),
  to: calendarDay().nullable().default(null).describe('With `from`: the last day.'),
  compare: z
    .enum(['previous', 'month', 'year'])
    .nullable()
    .default(null)
    .describe('With which days the figures are compared.'),
  filter: filterTexts().describe('Filters as analytics takes them, e.g. `country:DE`.'),
  spelling: AnalyticsSpelling.default('folded').describe('Of `utm_*` values, as analytics takes it.'),
  metric: AnalyticsMetric.default('clicks').describe('What the chart shows.'),
  figures: z.array(AnalyticsMetric).max(MOST_FIGURES).default([]).describe('The totals at the top.'),
  cardMetrics: z
    .array(BreakdownMetric)
    .min(1)
    .max(MOST_METRICS)
    .default(['clicks'])
    .describe('The figures of the cards. The first one orders their rows.'),
  cards: z
    .array(AnalyticsDimension)
    .max(MOST_BREAKDOWNS)
    .default([])
    .describe('The dimensions that have a card. Values of labels may name people.'),
  funnel: z.boolean().default(false).describe('True: also from the tap to the app.'),
});
export type ShareView = z.output<typeof ShareView>;

const origin = () =>
  z
    .string()
    .max(200)
    .regex(/^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/i, 'must be an https origin such as https://wiki.example.com')
    .transform((given) => given.toLowerCase());

export const ShareOptions = z.object({
  narrow: z.boolean().default(true).describe('Viewers may choose fewer days, and filter by what the cards show.'),
  csv: z.boolean().default(false).describe('Viewers may download the cards.'),
  linkNames: z
    .boolean()
    .default(false)
    .describe('Viewers see the names of links. Otherwise they see slugs, as in the addresses of the links.'),
  origins: z.array(origin()).max(MOST_ORIGINS).default([]).describe('The sites that may show the share in a frame.'),
});
export type ShareOptions = z.output<typeof ShareOptions>;

/** What a viewer asks for, within the view. */
export const narrowing = {
  from: calendarDay().optional().describe('A first day within the shared days.'),
  to: calendarDay().optional().describe('A last day within the shared days.'),
  filter: filterTexts().describe('Filters of the shared dimensions. It may be repeated.'),
};
export type Narrowing = z.output<z.ZodObject<typeof narrowing>>;

/** Returns the question of a view for analytics. */
export function questionOf(view: ShareView, timeZone: string, now: Date) {
  const { from, to, range } = view;
  const fixed = from !== null && to !== null ? { from, to } : { range };
  const { days, interval } = daysOf(fixed, timeZone, now);
  return { ...days, interval, filter: readFilters(view.filter), spelling: view.spelling };
}

/**
 * Returns the question of a viewer.
 * @throws ApiError INVALID_REQUEST, with the name of the field that is outside the view
 */
export function narrowed(
  view: ShareView,
  { narrow }: Pick<ShareOptions, 'narrow'>,
  given: Narrowing,
  { timeZone, now }: { timeZone: string; now: Date },
) {
  const shown = questionOf(view, timeZone, now);
  for (const [path, value] of Object.entries(given))
    if (!narrow && value !== undefined && value.length > 0) throw outside(path, 'is fixed in this share');
  return {
    ...shown,
    ...daysWithin(shown, given, firstDay('today', timeZone, now)),
    filter: filtersWithin(view, given),
  };
}

/** Days of the calendar, as texts of ISO 8601, have the order of their letters. */
function daysWithin(shown: { from: string; to?: string }, { from, to }: Narrowing, today: string) {
  if (from === undefined && to === undefined) return {};
  const path = from === undefined ? 'to' : 'from';
  if (!isDay(shown.from)) throw outside(path, 'is fixed in this share');
  const last = shown.to ?? today;
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && (day < shown.from || day > last))
      throw outside(name, `must be from ${shown.from} to ${last}`);
  const days = { from: from ?? shown.from, to: to ?? last };
  if (days.from > days.to) throw outside(path, 'must leave a day');
  return { ...days, interval: daysOf(days, 'UTC').interval };
}

/** Values of one dimension are alternatives. So a value beside those of the view would show more, and not less. */
function filtersWithin(view: ShareView, given: Narrowing): AnalyticsFilter[] {
  const stored = readFilters(view.filter);
  const chosen = readFilters(given.filter);
  const shared = new Set([...view.cards, ...stored.map(({ dimension }) => dimension)]);
  const isStored = (filter: AnalyticsFilter) =>
    stored.some(({ dimension, value }) => dimension === filter.dimension && value === filter.value);
  for (const filter of chosen) {
    if (!shared.has(filter.dimension)) throw outside('filter', `must not be by ${filter.dimension}: it is not shared`);
    const isFixed = stored.some(({ dimension }) => dimension === filter.dimension);
    if (isFixed && !isStored(filter)) throw outside('filter', `must have a shared value of ${filter.dimension}`);
  }
  const left = stored.filter(({ dimension }) => !chosen.some((one) => one.dimension === dimension));
  if (left.length + chosen.length > MOST_FILTERS) throw outside('filter', `must be at most ${MOST_FILTERS} in all`);
  return [...left, ...chosen];
}

const outside = (path: string, message: string) => new ApiError('INVALID_REQUEST', [{ path, message }]);
