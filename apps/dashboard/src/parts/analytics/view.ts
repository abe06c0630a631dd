// What the page of analytics shows, as it is in the URL.

export const METRICS = [
  'clicks',
  'visitors',
  'storeRedirects',
  'installs',
  'attributedInstalls',
  'restores',
  'opens',
  'pushesSent',
  'pushesOpened',
] as const;
export type Metric = (typeof METRICS)[number];

/** The dimensions of clicks. Installs, restores and opens have some of them. */
export const DIMENSIONS = [
  'link',
  'utmCampaign',
  'country',
  'platform',
  'browser',
  'os',
  'language',
  'referrer',
  'inAppBrowser',
  'utmSource',
  'utmMedium',
  'via',
  'matchType',
  'appVersion',
] as const;
/** A dimension of every app, or a label of this one. */
export type Dimension = (typeof DIMENSIONS)[number] | `label:${string}`;

export const isLabel = (dimension: Dimension): dimension is `label:${string}` => dimension.startsWith('label:');

/** Days up to today. */
export const PRESETS = ['7', '30', '90'] as const;
export type Preset = (typeof PRESETS)[number];

/** What all questions of the page ask about. Both days are included, in the zone of the app. */
export interface Range {
  from: string;
  to?: string;
  filter: string[];
}

export interface View {
  days?: Preset;
  /** Two days instead of `days`. */
  from?: string;
  to?: string;
  metric?: Metric;
  by?: Dimension;
  /** Filters as the API takes them: a dimension, a colon and a value. */
  filter?: string[];
  compare?: true;
}

/** Reads a view from the URL. Values that mean nothing are left out, so that an old address opens. */
export function viewOf({ days, from, to, metric, by, filter, compare }: Record<string, unknown>): View {
  const filters = Array.isArray(filter) ? filter.filter((one) => typeof one === 'string') : [];
  return {
    ...(isOneOf(PRESETS, String(days)) && { days: String(days) as Preset }),
    ...(isDay(from) && isDay(to) && { from, to }),
    ...(isOneOf(METRICS, metric) && { metric }),
    ...(isDimension(by) && { by }),
    ...(filters.length > 0 && { filter: filters }),
    ...(compare === true && { compare }),
  };
}

const isDimension = (value: unknown): value is Dimension =>
  isOneOf(DIMENSIONS, value) || (typeof value === 'string' && /^label:./.test(value));

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value);

export const rangeOf = ({ days = '30', from, to, filter = [] }: View, timeZone: string): Range =>
  from !== undefined && to !== undefined ? { from, to, filter } : { from: firstDay(days, timeZone), filter };

/** Returns the first day of a range of days that ends today, in the zone of the app. One day is today. */
export function firstDay(days: Preset | '1', timeZone: string, now: Date = new Date()): string {
  // The Swedish format is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
  const first = new Date(`${today}T00:00:00Z`);
  first.setUTCDate(first.getUTCDate() - Number(days) + 1);
  return first.toISOString().slice(0, 10);
}
