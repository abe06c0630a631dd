// Which values of a day have a count of their own. Anybody can make up values, so a day has at most 1,000 of each dimension.
// What is counted beyond them is counted as `(other)`. Values that are known go before others.
import type { AnalyticsDimension } from '@landfall/contracts';
import { ALL, type DayCount, NO_VALUE, rank } from './counting.ts';

/** The most values of a dimension that have a count, for an app, a metric and a day. */
export const MOST_VALUES = 1_000;
/** The value of everything that is counted beyond them. */
export const OTHER = '(other)';
/** They take no place. */
export const NO_VALUE_OR_OTHER: readonly string[] = [NO_VALUE, OTHER];
/** A value is known that was counted in these days before. */
export const KNOWN_DAYS = 7;

/** Dimensions with few values, whatever anybody sends: their values are in the code, or are countries. */
const CLOSED: ReadonlySet<string> = new Set<AnalyticsDimension | typeof ALL>([
  ALL,
  'country',
  'platform',
  'via',
  'matchType',
]);
export const isOpen = ({ dimension }: Pick<DayCount, 'dimension'>): boolean => !CLOSED.has(dimension);

/** A change of a count, and what is stored of its value. */
export interface Change extends DayCount {
  /** The number that is stored. Null: the value has no count on this day. */
  readonly stored: number | null;
  /** The number of values that have a count on this day, if this value has none. */
  readonly size: number;
}

/** Gives values their places. All other changes are of `(other)`. */
export function placed(changes: readonly Change[]) {
  const counts: DayCount[] = [];
  /** Values with a rank for which there is no place, unless another value gives its place up. The highest rank is first. */
  const homeless: DayCount[] = [];
  for (const own of Map.groupBy(changes, dimensionOf).values()) {
    const { newcomers = [], others = [] } = Object.groupBy(own, (change) => (isNew(change) ? 'newcomers' : 'others'));
    for (const change of others) counts.push(...taken(change));
    newcomers.sort(byRank);
    const free = Math.max(0, MOST_VALUES - (newcomers[0]?.size ?? 0));
    counts.push(...newcomers.slice(0, free).map(countOf));
    for (const count of newcomers.slice(free).map(countOf))
      if (count.rank > rank.unknown) homeless.push(count);
      else counts.push(asOther(count));
  }
  return { counts: added(counts), homeless };
}

/**
 * @param homeless of one dimension, the highest rank first
 * @param last the values of the dimension with the lowest ranks, the lowest first
 */
export function exchanged(homeless: readonly DayCount[], last: readonly DayCount[]) {
  const givenUp = homeless.flatMap((count, i) => {
    const other = last[i];
    return other !== undefined && other.rank < count.rank ? [other] : [];
  });
  const stay = homeless.map((count, i) => (i < givenUp.length ? count : asOther(count)));
  return { counts: added([...stay, ...givenUp.map(asOther)]), givenUp };
}

export const dimensionOf = ({ appId, metric, dimension, day }: DayCount): string =>
  `${appId} ${metric} ${day} ${dimension}`;

const isNew = ({ stored, value, n }: Change): boolean => stored === null && n > 0 && !NO_VALUE_OR_OTHER.includes(value);

/** What is taken away is taken from where it was counted: from the value as far as it has a count, else from the others. */
function taken(change: Change): DayCount[] {
  const { value, n, stored } = change;
  if (n > 0 || NO_VALUE_OR_OTHER.includes(value)) return [countOf(change)];
  const own = { ...countOf(change), n: Math.max(n, -(stored ?? 0)) };
  return [own, { ...asOther(own), n: n - own.n }].filter(({ n }) => n !== 0);
}

const byRank = (a: DayCount, b: DayCount): number => b.rank - a.rank || b.n - a.n || (a.value < b.value ? -1 : 1);

const countOf = ({ stored: _stored, size: _size, ...count }: Change): DayCount => count;
const asOther = (count: DayCount): DayCount => ({ ...count, value: OTHER, rank: rank.unknown });

/** One change for each value: a statement cannot change a row twice. */
export function added(counts: readonly DayCount[]): DayCount[] {
  return [...Map.groupBy(counts, (count) => `${dimensionOf(count)} ${count.value}`).values()].map((same) => ({
    ...same[0]!,
    n: same.reduce((sum, { n }) => sum + n, 0),
  }));
}
