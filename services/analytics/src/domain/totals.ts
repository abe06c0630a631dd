// Figures with their totals. Visitors are told apart within one day, so their figure for anything longer is the mean of
// its days.

import type { FigureStore, Figures, Group, Question } from '../store.ts';
import { placed } from './question.ts';
import { type Bucketed, bucketed } from './range.ts';

/** A total of visitors is the mean of the days, and no sum of the values. */
export interface Totalled extends Figures {
  readonly total: number;
  readonly groups: readonly TotalledGroup[] | null;
}
export type TotalledGroup = Group & { readonly total: number };

export const sum = (values: readonly number[]): number => values.reduce((all, n) => all + n, 0);

/** The days on which an app can have visitors. */
export interface Life {
  /** When the app was made, in milliseconds. Null: unknown. */
  since: number | null;
  now: Date;
}

/** Returns the figures of a question. Visitors need at most as many days as there may be buckets. */
export async function totalled(store: FigureStore, question: Question, range: Bucketed, life: Life): Promise<Totalled> {
  if (question.metric === 'visitors') return visitors(store, question, range, life);
  const found = await store.figures(question);
  const groups = found.groups?.map((group) => ({ ...group, total: sum(group.values) })) ?? null;
  return { ...found, total: sum(found.values), groups };
}

async function visitors(store: FigureStore, question: Question, range: Bucketed, life: Life): Promise<Totalled> {
  const days = bucketed(range, 'day');
  if ('code' in days) throw new RangeError(`visitors of ${days.code}`);
  const daily = await store.figures({ ...question, ...placed(days, life.now) });
  const hourly = range.interval === 'hour' ? await store.figures(question) : null;
  const lived = livedDays(daily.values, days, life);
  const means = (values: readonly number[]) => meansOf(values, days.buckets, lived, range);
  const total = (values: readonly number[]) => mean(values.filter((_, day) => lived.has(day)));
  const hoursOf = (wanted: string | null) =>
    hourly?.groups?.find(({ value }) => value === wanted)?.values ?? range.buckets.map(() => 0);
  const groupOf = ({ value, values }: Group): TotalledGroup => ({
    value,
    total: total(values),
    values: hourly === null ? means(values) : hoursOf(value),
  });
  return {
    source: hourly?.source ?? daily.source,
    values: hourly?.values ?? means(daily.values),
    total: total(daily.values),
    groupCount: daily.groupCount,
    groups: daily.groups?.map(groupOf) ?? null,
  };
}

/**
 * Returns the places of the days over which a mean goes: from the day on which the app was made, or the first one with a
 * visitor, to the present.
 */
function livedDays(values: readonly number[], { buckets, to }: Bucketed, { since, now }: Life): Set<number> {
  const seen = values.findIndex((n) => n > 0);
  const made = buckets.findIndex((_, i) => since === null || (buckets[i + 1] ?? to) > since);
  const first = Math.min(seen < 0 ? buckets.length : seen, made < 0 ? buckets.length : made);
  return new Set([...buckets.keys()].filter((day) => day >= first && buckets[day]! <= now.getTime()));
}

function meansOf(
  values: readonly number[],
  days: readonly number[],
  lived: ReadonlySet<number>,
  { buckets, to }: Bucketed,
): number[] {
  return buckets.map((start, i) => {
    const end = buckets[i + 1] ?? to;
    return mean(values.filter((_, day) => lived.has(day) && days[day]! >= start && days[day]! < end));
  });
}

/** Returns the mean, with two digits after the point. */
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round((sum(values) / values.length) * 100) / 100;
