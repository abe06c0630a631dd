// Figures with their totals. Visitors are told apart within one day, so their figure for anything longer is the mean of
// its days.
import { placed } from './domain/question.ts';
import { type Bucketed, bucketed } from './domain/range.ts';
import type { FigureStore, Figures, Group, Question } from './store.ts';

/** A total of visitors is the mean of the days, and no sum of the values. */
export interface Totalled extends Figures {
  readonly total: number;
  readonly groups: readonly TotalledGroup[] | null;
}
export type TotalledGroup = Group & { readonly total: number };

export const sum = (values: readonly number[]): number => values.reduce((all, n) => all + n, 0);

/** Returns the figures of a question. Visitors need at most as many days as there may be buckets. */
export async function totalled(store: FigureStore, question: Question, range: Bucketed, now: Date): Promise<Totalled> {
  if (question.metric === 'visitors') return visitors(store, question, range, now);
  const found = await store.figures(question);
  const groups = found.groups?.map((group) => ({ ...group, total: sum(group.values) })) ?? null;
  return { ...found, total: sum(found.values), groups };
}

async function visitors(store: FigureStore, question: Question, range: Bucketed, now: Date): Promise<Totalled> {
  const days = bucketed(range, 'day');
  if ('code' in days) throw new RangeError(`visitors of ${days.code}`);
  const daily = await store.figures({ ...question, ...placed(days, now) });
  const hourly = range.interval === 'hour' ? await store.figures(question) : null;
  const means = (values: readonly number[]) => meansOf(values, days.buckets, range);
  const hoursOf = (wanted: string | null) =>
    hourly?.groups?.find(({ value }) => value === wanted)?.values ?? range.buckets.map(() => 0);
  const groupOf = ({ value, values }: Group): TotalledGroup => ({
    value,
    total: mean(values),
    values: hourly === null ? means(values) : hoursOf(value),
  });
  return {
    source: hourly?.source ?? daily.source,
    values: hourly?.values ?? means(daily.values),
    total: mean(daily.values),
    groupCount: daily.groupCount,
    groups: daily.groups?.map(groupOf) ?? null,
  };
}

function meansOf(values: readonly number[], days: readonly number[], { buckets, to }: Bucketed): number[] {
  return buckets.map((start, i) => {
    const end = buckets[i + 1] ?? to;
    return mean(values.filter((_, day) => days[day]! >= start && days[day]! < end));
  });
}

/** Returns the mean, with two digits after the point. */
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round((sum(values) / values.length) * 100) / 100;
