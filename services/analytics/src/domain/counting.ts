import type { AnalyticsMetric } from '@landfall/contracts';
import type { Fact } from './fact.ts';
import { isOfLinks, isSparse, LABEL, type LinkMetric, linkMetrics, metrics } from './metrics.ts';
import type { LocalTime } from './zone.ts';

/** How well a value is known. Of too many values, one with a higher rank takes the place of one with a lower rank. */
export const rank = { unknown: 0, ofLastDays: 1, ofLink: 2 } as const;

export interface DayCount {
  readonly appId: string;
  readonly metric: AnalyticsMetric;
  readonly dimension: string;
  readonly day: string;
  readonly value: string;
  readonly n: number;
  readonly rank: (typeof rank)[keyof typeof rank];
}

export interface LinkCount extends Record<LinkMetric, number> {
  readonly appId: string;
  readonly day: string;
  readonly linkId: string;
}

export interface HourCount {
  readonly appId: string;
  readonly metric: AnalyticsMetric;
  /** Milliseconds. */
  readonly hour: number;
  n: number;
}

/** The dimension of a count of all facts. */
export const ALL = 'all';
/** The value of facts without one. No fact has an empty text as a value. */
export const NO_VALUE = '';

/** The values of a fact by which it is counted. */
export type Counted = Pick<Fact, 'appId' | 'labels' | 'valuesOfLink'> & { readonly [column: string]: unknown };

/** The changes of one metric of an app on one day: by dimension, then by value. */
interface DayCell {
  readonly appId: string;
  readonly metric: AnalyticsMetric;
  readonly day: string;
  readonly dimensions: Map<string, Map<string, number>>;
  /** The values that links have, by dimension. */
  readonly ofLinks: Map<string, Set<string>>;
}

/** Collects one change for each count. It runs for each click, so it looks counts up by values, without a text for a key. */
export function createTally() {
  const cells = new Map<string, DayCell>();
  const hours = new Map<string, HourCount>();
  /** By app and day, then by link. */
  const links = new Map<string, Map<string, LinkCount>>();

  function cellOf(appId: string, metric: AnalyticsMetric, day: string): DayCell {
    const key = `${appId} ${metric} ${day}`;
    return cells.get(key) ?? put(cells, key, { appId, metric, day, dimensions: new Map(), ofLinks: new Map() });
  }

  function addHour(appId: string, metric: AnalyticsMetric, hour: number, n: number) {
    const key = `${appId} ${metric} ${hour}`;
    (hours.get(key) ?? put(hours, key, { appId, metric, hour, n: 0 })).n += n;
  }

  function addLink(appId: string, day: string, linkId: string, metric: LinkMetric, n: number) {
    const key = `${appId} ${day}`;
    const counts = links.get(key) ?? put(links, key, new Map<string, LinkCount>());
    (counts.get(linkId) ?? put(counts, linkId, { appId, day, linkId, ...noCounts }))[metric] += n;
  }

  return {
    /** Adds to a metric, in total and by each of its dimensions. */
    add(metric: AnalyticsMetric, facts: Counted, { day, hour }: LocalTime, n = 1) {
      const { dimensions, ofLinks } = cellOf(facts.appId, metric, day);
      addHour(facts.appId, metric, hour, n);
      addTo(dimensions, ALL, NO_VALUE, n);
      for (const dimension of metrics[metric].dimensions) {
        const value = facts[dimension] as string | null;
        if (dimension === 'link' || (value === null && isSparse(metric, dimension))) continue;
        addTo(dimensions, dimension, value ?? NO_VALUE, n);
      }
      for (const dimension of facts.valuesOfLink)
        (ofLinks.get(dimension) ?? put(ofLinks, dimension, new Set())).add(facts[dimension] as string);
      if (isOfLinks(metric)) addLink(facts.appId, day, facts.linkId as string, metric, n);
      if (!metrics[metric].labels || facts.labels === null) return;
      for (const [key, value] of Object.entries(facts.labels)) addTo(dimensions, `${LABEL}${key}`, value, n);
    },
    /** Adds to a day of a metric that is counted by no dimension and no hour. */
    addToDay: (appId: string, metric: AnalyticsMetric, day: string, n: number) =>
      addTo(cellOf(appId, metric, day).dimensions, ALL, NO_VALUE, n),
    /** The changes, in the one order in which every process locks the rows. */
    dayCounts(): DayCount[] {
      const counts: DayCount[] = [];
      for (const { appId, metric, day, dimensions, ofLinks } of valuesInOrder(cells)) {
        if (!isChanged(dimensions)) continue;
        for (const [dimension, values] of inOrder(dimensions)) {
          const known = ofLinks.get(dimension);
          for (const [value, n] of inOrder(values)) {
            // The count of all facts is there for every change: its lock is that of the whole day.
            if (n === 0 && dimension !== ALL) continue;
            const itsRank = known?.has(value) ? rank.ofLink : rank.unknown;
            counts.push({ appId, metric, dimension, day, value, n, rank: itsRank });
          }
        }
      }
      return counts;
    },
    linkCounts: (): LinkCount[] =>
      valuesInOrder(links)
        .flatMap(valuesInOrder)
        .filter((count) => linkMetrics.some((metric) => count[metric] !== 0)),
    hourCounts: () => valuesInOrder(hours).filter(({ n }) => n !== 0),
  };
}
export type Tally = ReturnType<typeof createTally>;

const noCounts = Object.fromEntries(linkMetrics.map((metric) => [metric, 0])) as Record<LinkMetric, number>;

const isChanged = (dimensions: ReadonlyMap<string, ReadonlyMap<string, number>>): boolean =>
  dimensions.values().some((values) => values.values().some((n) => n !== 0));

function put<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value);
  return value;
}

function addTo(dimensions: Map<string, Map<string, number>>, dimension: string, value: string, n: number) {
  const values = dimensions.get(dimension) ?? put(dimensions, dimension, new Map<string, number>());
  values.set(value, (values.get(value) ?? 0) + n);
}

const inOrder = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
const valuesInOrder = <T>(map: ReadonlyMap<string, T>): T[] => inOrder(map).map(([, value]) => value);
