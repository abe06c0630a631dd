// What the page of analytics shows, as it is in the URL.
import { type Days, daysOf, isDay, PRESETS, type Preset } from '@landfall/api-client/ranges';

/** The steps of a person's way, which stand at the top of the page. */
export const STEPS = ['clicks', 'attributedInstalls', 'restores', 'opens'] as const;
/** Everything that the chart can show. */
export const METRICS = [...STEPS, 'visitors', 'storeRedirects', 'installs', 'pushesSent', 'pushesOpened'] as const;
export type Metric = (typeof METRICS)[number];
/** People of several days are a mean: cards count their taps. */
export type CardMetric = Exclude<Metric, 'visitors'>;

/** The cards, in their order on the page. */
export const DIMENSIONS = [
  'utmCampaign',
  'utmSource',
  'utmMedium',
  'link',
  'country',
  'platform',
  'browser',
  'os',
  'referrer',
  'language',
  'via',
  'inAppBrowser',
  'matchType',
  'appVersion',
] as const;
type Fixed = (typeof DIMENSIONS)[number];
/** A dimension of every app, or a label of this one. */
export type Dimension = Fixed | `label:${string}`;

export const isLabel = (dimension: Dimension): dimension is `label:${string}` => dimension.startsWith('label:');

const ofStart: readonly Fixed[] = ['matchType', 'appVersion'];
const ofClient: readonly Fixed[] = ['country', 'platform', 'appVersion'];
const ofLink: readonly Fixed[] = ['link', 'utmCampaign', 'utmSource', 'utmMedium'];
/** The dimensions that a figure lacks, because its events do not know them. */
const HAS: Readonly<Record<Metric, { fixed: (dimension: Fixed) => boolean; labels: boolean }>> = {
  clicks: { fixed: (dimension) => !ofStart.includes(dimension), labels: true },
  visitors: { fixed: (dimension) => !ofStart.includes(dimension), labels: true },
  storeRedirects: { fixed: (dimension) => !ofStart.includes(dimension), labels: true },
  attributedInstalls: { fixed: () => true, labels: true },
  restores: { fixed: () => true, labels: true },
  opens: { fixed: (dimension) => ofLink.includes(dimension) || ofClient.includes(dimension), labels: true },
  installs: { fixed: (dimension) => ofClient.includes(dimension), labels: false },
  pushesSent: { fixed: (dimension) => dimension === 'platform', labels: false },
  pushesOpened: { fixed: (dimension) => ofClient.includes(dimension), labels: false },
};
export const has = (metric: Metric, dimension: Dimension): boolean =>
  isLabel(dimension) ? HAS[metric].labels : HAS[metric].fixed(dimension);

/** The dimensions of a figure, for an app with these labels. */
export const dimensionsOf = (metric: Metric, labels: readonly string[]): Dimension[] =>
  [...DIMENSIONS, ...labels.map((label) => `label:${label}` as const)].filter((dimension) => has(metric, dimension));

/** The figures of a card. The first one orders its rows, and the two of a step make a rate. */
export function metricsOf(metric: Metric): readonly [CardMetric, ...CardMetric[]] {
  if (metric === 'clicks' || metric === 'visitors') return ['clicks', 'attributedInstalls'];
  if (metric === 'attributedInstalls' || metric === 'restores' || metric === 'storeRedirects')
    return [metric, 'clicks'];
  return [metric];
}

export interface View {
  range?: Preset;
  /** Two days instead of `range`. */
  from?: string;
  to?: string;
  /** With which days figures are compared. Left out: with the days before. */
  compare?: 'month' | 'year' | 'none';
  metric?: Metric;
  /** Filters as the API takes them: a dimension, a colon and a value. */
  filter?: string[];
  spelling?: 'exact';
  /** The card that shows all of its values. */
  all?: Dimension;
  /** The order of these values. Left out: by the first figure of the card. */
  order?: Order;
}

/** Cards are ordered by one of their figures, by the rate of two, or by the change of the first. */
export type Order = 'rate' | 'change' | CardMetric;
const ORDERS: readonly Order[] = ['rate', 'change', ...METRICS.filter((metric) => metric !== 'visitors')];

/** Reads a view from the URL. Values that mean nothing are left out, so that an old address opens. */
export function viewOf(given: Record<string, unknown>): View {
  const { range = given.days, from, to, compare, metric, filter, spelling, all, order } = given;
  const filters = Array.isArray(filter) ? filter.filter((one) => typeof one === 'string' && filterOf(one)) : [];
  return {
    ...(isOneOf(PRESETS, String(range)) && { range: String(range) as Preset }),
    ...(isDay(from) && isDay(to) && { from, to }),
    ...(isOneOf(['month', 'year', 'none'] as const, compare) && { compare }),
    ...(isOneOf(METRICS, metric) && { metric }),
    ...(filters.length > 0 && { filter: filters }),
    ...(spelling === 'exact' && { spelling }),
    ...(isDimension(all) && { all, ...(isOneOf(ORDERS, order) && { order }) }),
  };
}

const isDimension = (value: unknown): value is Dimension =>
  isOneOf(DIMENSIONS, value) || (typeof value === 'string' && /^label:[^:]/.test(value));

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value);

export interface Filter {
  dimension: Dimension;
  /** Null: events without a value. */
  value: string | null;
}

/** Reads a filter as it is in the URL. Null: it names no dimension. */
export function filterOf(text: string): Filter | null {
  const [, dimension, value = ''] = /^((?:label:)?[^:]+):(.*)$/s.exec(text) ?? [];
  return isDimension(dimension) ? { dimension, value: value || null } : null;
}
export const filterText = ({ dimension, value }: Filter): string => `${dimension}:${value ?? ''}`;

/** The subject of all questions of the page. */
export interface Asked extends Days {
  filter: string[];
  spelling?: 'exact';
}

export const askedOf = (view: View, timeZone: string): Asked => ({
  ...daysOf(view, timeZone).days,
  filter: view.filter ?? [],
  ...(view.spelling && { spelling: view.spelling }),
});

/** The comparison of a view, as the API takes it. */
export const compareOf = ({ compare }: View): { compare?: 'previous' | 'month' | 'year' } =>
  compare === 'none' ? {} : { compare: compare ?? 'previous' };
