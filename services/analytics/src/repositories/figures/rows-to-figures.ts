import { isSparse } from '../../domain/metrics.ts';
import { sum } from '../../domain/totals.ts';
import type { Breakdown, Figures, Group, Question } from '../../store.ts';

/** The number of one bucket, counted from 1, of one group. */
export interface FigureRow {
  readonly bucket: number;
  /** Null: facts without a value. */
  readonly value: string | null;
  readonly n: number;
}

export const valuesOf = (rows: readonly FigureRow[], { buckets }: Question): number[] => {
  const values = new Array<number>(buckets.length).fill(0);
  for (const { bucket, n } of rows) if (bucket >= 1) values[bucket - 1]! += n;
  return values;
};

/** @param rows of one group together, the group with the greatest total first */
export function groupsOf(rows: readonly FigureRow[], question: Question): Group[] {
  return [...Map.groupBy(rows, ({ value }) => value)].map(([value, own]) => ({
    value,
    values: valuesOf(own, question),
  }));
}

/** Sorts rows by the order of their groups. */
export function inOrderOf<R extends { value: string | null }>(values: readonly (string | null)[], rows: R[]): R[] {
  const places = new Map(values.map((value, place) => [value, place]));
  return rows.sort((a, b) => places.get(a.value)! - places.get(b.value)!);
}

export const ungrouped = (source: Figures['source'], values: readonly number[]): Figures => ({
  source,
  values,
  groups: null,
  groupCount: 0,
});

/**
 * Adds the group of the facts without a value of a sparse dimension, which are in no count of it: all facts without those of
 * the groups. Its place among the groups is that of its total.
 * @param known the groups without a limit would have these values together
 */
export function withoutValue(figures: Figures, known: readonly number[], question: Question): Figures {
  const { metric, groupBy, limit, filters } = question;
  if (groupBy === null || !isSparse(metric, groupBy) || filters.some(({ dimension }) => dimension === groupBy))
    return figures;
  const rest = figures.values.map((n, i) => n - known[i]!);
  if (sum(rest) === 0) return figures;
  const groups = [...figures.groups!, { value: null, values: rest }].sort((a, b) => sum(b.values) - sum(a.values));
  return { ...figures, groups: groups.slice(0, limit), groupCount: figures.groupCount + 1 };
}

/** The groups of figures with one bucket. */
export const breakdownOf = ({ source, groups, groupCount }: Figures): Breakdown => ({
  source,
  groups: groups!.map(({ value, values }) => ({ value, n: sum(values) })),
  groupCount,
});
