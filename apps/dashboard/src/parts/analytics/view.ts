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
export type Dimension = (typeof DIMENSIONS)[number];

/** Days up to today. */
export const PRESETS = ['7', '30', '90'] as const;
type Preset = (typeof PRESETS)[number];

export interface View {
  days?: Preset;
  metric?: Metric;
  by?: Dimension;
  /** Filters as the API takes them: a dimension, a colon and a value. */
  filter?: string[];
  compare?: true;
}

/** Reads a view from the URL. Values that mean nothing are left out, so that an old address opens. */
export function viewOf({ days, metric, by, filter, compare }: Record<string, unknown>): View {
  const filters = Array.isArray(filter) ? filter.filter((one) => typeof one === 'string') : [];
  return {
    ...(isOneOf(PRESETS, String(days)) && { days: String(days) as Preset }),
    ...(isOneOf(METRICS, metric) && { metric }),
    ...(isOneOf(DIMENSIONS, by) && { by }),
    ...(filters.length > 0 && { filter: filters }),
    ...(compare === true && { compare }),
  };
}

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value);

/** Returns the first day of a range of days that ends today, in the zone of the app. */
export function firstDay(days: Preset, timeZone: string, now: Date = new Date()): string {
  // The Swedish format is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
  const first = new Date(`${today}T00:00:00Z`);
  first.setUTCDate(first.getUTCDate() - Number(days) + 1);
  return first.toISOString().slice(0, 10);
}
