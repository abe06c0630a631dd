// All questions have in common: the range, the filters, and whether the metric has the dimensions.
import type { AnalyticsDimension, AnalyticsFilter, AnalyticsInterval, AnalyticsSpelling } from '@landfall/contracts';
import type { FigureStore, Filter, Group, Part, Question } from '../store.ts';
import { has } from './metrics.ts';
import { type Bucketed, bucketed, isWholeDays, isWholeHours, type Range, type RangeRefusal, rangeOf } from './range.ts';

type Refusal = RangeRefusal | { code: 'DIMENSION_UNKNOWN'; facts: { dimension: string; metric: string } };

interface Input {
  readonly appId: string;
  readonly spelling: AnalyticsSpelling;
  readonly from: string | null;
  readonly to: string | null;
  readonly filters: readonly AnalyticsFilter[];
}
type Of = Pick<Question, 'metric' | 'groupBy' | 'limit'> & { readonly interval: AnalyticsInterval };

/** Returns the question to the store, with its range in buckets, or the reason why there is no answer. */
export async function questionOf(
  store: Pick<FigureStore, 'zone'>,
  { appId, filters, from, to, spelling }: Input,
  { metric, groupBy, limit, interval }: Of,
  now: Date,
): Promise<{ question: Question; range: Bucketed } | Refusal> {
  const dimension = dimensionsOf({ filters, groupBy }).find((dimension) => !has(metric, dimension));
  if (dimension !== undefined) return { code: 'DIMENSION_UNKNOWN', facts: { dimension, metric } };
  const whole = rangeOf(await store.zone(appId), from, to, now);
  // Visitors and cohorts are counted by day, whatever the interval.
  const days = bucketed(whole, 'day');
  const range = isRefused(days) ? days : bucketed(whole, interval);
  if (isRefused(range)) return range;
  const exact = spelling === 'exact';
  return { range, question: { appId, metric, filters: joined(filters), groupBy, limit, exact, ...placed(range, now) } };
}

export const isRefused = <T extends object>(result: T | Refusal): result is Refusal => 'code' in result;

interface Split {
  readonly filters: readonly Pick<Filter, 'dimension'>[];
  readonly groupBy: AnalyticsDimension | null;
}
export const dimensionsOf = ({ filters, groupBy }: Split): AnalyticsDimension[] => [
  ...(groupBy === null ? [] : [groupBy]),
  ...filters.map(({ dimension }) => dimension),
];

/** Joins filters of one dimension: their values are alternatives. */
const joined = (filters: readonly AnalyticsFilter[]): Filter[] =>
  [...Map.groupBy(filters, ({ dimension }) => dimension)].map(([dimension, same]) => ({
    dimension,
    values: same.map(({ value }) => (dimension === 'link' ? (value?.toLowerCase() ?? null) : value)),
  }));

/** Returns the question of these groups alone. */
export const ofGroups = (question: Question, groups: readonly Group[]): Question =>
  partOf(question, { dimension: question.groupBy!, only: groups.map(({ value }) => value) });

/** Returns the question of one part. */
export function partOf(question: Question, { dimension, only }: Part): Question {
  if (only === null) return { ...question, groupBy: dimension };
  const others = question.filters.filter((filter) => filter.dimension !== dimension);
  return { ...question, groupBy: dimension, filters: [...others, { dimension, values: only }] };
}

/** The parts of a question that follow from its buckets. */
export function placed(range: Bucketed, now: Date) {
  const { zone, buckets, to, interval } = range;
  const wholeDays = interval !== 'hour' && isWholeDays(range, now);
  return { zone, buckets, to, wholeDays, wholeHours: isWholeHours(range, now) };
}

export const iso = (ms: number): string => new Date(ms).toISOString();

export const rangeView = ({ zone, from, to }: Range) => ({ timeZone: zone.name, from: iso(from), to: iso(to) });
