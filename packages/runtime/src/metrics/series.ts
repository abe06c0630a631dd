// Counts that cost tens of nanoseconds, because one process answers 25,000 requests a second: label values lead through
// maps to plain numbers. prom-client builds and hashes an object of labels for every call.
import type { MetricDefinition } from './metric-table.ts';

export type LabelValue = string | number;

export interface Sample {
  labels: Record<string, LabelValue>;
  /** Labels that many lines share. They are written out once, because a scrape must not delay requests. */
  sharedLabels?: Record<string, LabelValue>;
  value: number;
  /** The text after the metric's name, e.g. `_sum`. */
  suffix?: string;
}

/** Combinations of label values. Further ones count as `other`: a mistake must not fill Prometheus. */
const MAX_SERIES = 1_000;

/** Keeps a state for each combination of up to three label values. */
function labelTree<T>(labels: readonly string[], make: () => T, maxSeries = MAX_SERIES) {
  const tree = new Map<LabelValue, Map<LabelValue, Map<LabelValue, T>>>();
  const all: { labels: Record<string, LabelValue>; kept: T }[] = [];

  function add(a: LabelValue, b: LabelValue, c: LabelValue): T {
    if (all.length >= maxSeries && a !== 'other') return of('other', 'other', 'other');
    const kept = make();
    const values = [a, b, c];
    all.push({ labels: Object.fromEntries(labels.map((name, i) => [name, values[i]!])), kept });
    const second = getOrPut(tree, a, () => new Map());
    getOrPut(second, b, () => new Map()).set(c, kept);
    return kept;
  }

  function of(a: LabelValue = '', b: LabelValue = '', c: LabelValue = ''): T {
    return tree.get(a)?.get(b)?.get(c) ?? add(a, b, c);
  }
  return { of, all };
}

function getOrPut<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Takes label values in the order of the definition. */
export function counter({ labels }: MetricDefinition, maxSeries?: number) {
  const tree = labelTree(labels, () => ({ count: 0 }), maxSeries);
  return {
    add(a?: LabelValue, b?: LabelValue, c?: LabelValue): void {
      tree.of(a, b, c).count++;
    },
    samples: (): Sample[] => tree.all.map(({ labels, kept }) => ({ labels, value: kept.count })),
  };
}

export function histogram({ labels, buckets = [] }: MetricDefinition) {
  // The last count is for values above every bound.
  const tree = labelTree(labels, () => ({ counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 }));
  return {
    add(value: number, a?: LabelValue, b?: LabelValue, c?: LabelValue): void {
      const kept = tree.of(a, b, c);
      let at = 0;
      while (at < buckets.length && value > buckets[at]!) at++;
      kept.counts[at]!++;
      kept.sum += value;
    },
    samples: (): Sample[] =>
      tree.all.flatMap(({ labels, kept }) => {
        let count = 0;
        const lines = kept.counts.map((n, i): Sample => {
          count += n;
          return { labels: { le: buckets[i] ?? '+Inf' }, sharedLabels: labels, value: count, suffix: '_bucket' };
        });
        const whole = { labels: {}, sharedLabels: labels };
        return [...lines, { ...whole, value: kept.sum, suffix: '_sum' }, { ...whole, value: count, suffix: '_count' }];
      }),
  };
}
