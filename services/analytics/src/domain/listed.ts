// The columns of the rows of a figure.
import type { AnalyticsDimension, AnalyticsMetric, CountedEvent, FixedDimension } from '@landfall/contracts';
import { has } from './metrics.ts';

/** The fields of a row that are dimensions. */
const DIMENSIONS = [
  'country',
  'platform',
  'os',
  'browser',
  'language',
  'referrer',
  'inAppBrowser',
  'via',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'matchType',
  'appVersion',
] as const satisfies readonly (FixedDimension & keyof CountedEvent)[];

/** The dimensions that the rows of a metric show: those that its facts, or the tap that led to each, know. */
export const shownOf = (metric: AnalyticsMetric): readonly FixedDimension[] =>
  DIMENSIONS.filter((dimension) => has(metric, dimension));

/** A device has one install that counts. So it names the row, in both stores. */
export const idOf = (metric: AnalyticsMetric): string => (metric === 'attributedInstalls' ? 'f.device' : 'f.id');

const TAPS: readonly AnalyticsMetric[] = ['clicks', 'storeRedirects'];
/** The page of a link has an opening by the installed app among its taps, under the id of the event. */
const OF_ITSELF: readonly AnalyticsMetric[] = [...TAPS, 'opens'];
const OF_A_TAP: readonly AnalyticsMetric[] = ['restores', 'attributedInstalls'];

/**
 * Returns the list of columns of a statement. Both stores have columns of these names.
 * @param column the expression of a dimension
 */
export function columnsOf(metric: AnalyticsMetric, column: (dimension: AnalyticsDimension) => string): string {
  const known = new Set(shownOf(metric));
  const isTap = TAPS.includes(metric);
  return [
    `f.link_id as "linkId"`,
    `${OF_ITSELF.includes(metric) ? 'f.id' : OF_A_TAP.includes(metric) ? 'f.click_id' : 'null'} as "tapId"`,
    `f.device as device`,
    `${isTap ? "case when f.to_store then 'store' else f.target end" : metric === 'opens' ? "'app'" : 'null'} as answered`,
    ...DIMENSIONS.map((name) => `${known.has(name) ? column(name) : 'null'} as "${name}"`),
  ].join(', ');
}
