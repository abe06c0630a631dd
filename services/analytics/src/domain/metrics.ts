// What is counted, by what, and of which facts.
import type { AnalyticsDimension, AnalyticsMetric, FixedDimension } from '@landfall/contracts';
import { type Fact, type Kind, kinds } from './fact.ts';

/** The column of a dimension in `analytics.facts`. */
export const columns: Readonly<Record<FixedDimension, string>> = {
  link: 'link_id',
  country: 'country',
  platform: 'platform',
  os: 'os',
  browser: 'browser',
  language: 'language',
  referrer: 'referrer',
  inAppBrowser: 'in_app_browser',
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
  via: 'via',
  matchType: 'match_type',
  appVersion: 'app_version',
};

const ofClick: readonly FixedDimension[] = (Object.keys(columns) as FixedDimension[]).filter(
  (dimension) => dimension !== 'matchType' && dimension !== 'appVersion',
);
const ofClient: readonly FixedDimension[] = ['platform', 'country', 'appVersion'];
const ofUtm: readonly FixedDimension[] = ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'];

export interface Metric {
  readonly kind: Kind;
  /** The dimensions by which it is counted, besides labels. */
  readonly dimensions: readonly FixedDimension[];
  readonly labels: boolean;
  /**
   * Those of its dimensions whose counts leave out facts without a value, as labels do: these are all facts without those of
   * the values. Facts from before a metric had the dimension have no value, too.
   */
  readonly sparse: readonly FixedDimension[];
  /** Further dimensions of the click that led to the fact. They are answered from facts. */
  readonly viaClick: boolean;
}

const plain = { labels: false, sparse: [], viaClick: false };
const click = { kind: kinds.click, dimensions: ofClick, labels: true, sparse: [], viaClick: false };
const viaClick = { ...plain, dimensions: ['link', 'matchType', ...ofClient], viaClick: true } as const;

export const metrics: Readonly<Record<AnalyticsMetric, Metric>> = {
  clicks: click,
  visitors: click,
  storeRedirects: click,
  installs: { ...plain, kind: kinds.install, dimensions: ofClient },
  attributedInstalls: { ...viaClick, kind: kinds.install },
  restores: { ...viaClick, kind: kinds.restore },
  opens: {
    kind: kinds.open,
    dimensions: ['link', ...ofClient, ...ofUtm],
    labels: true,
    sparse: ofUtm,
    viaClick: false,
  },
  activeDevices: { ...plain, kind: kinds.active, dimensions: ofClient },
  linksCreated: { ...plain, kind: kinds.linkCreated, dimensions: [], labels: true },
  registrations: { ...plain, kind: kinds.registration, dimensions: ofClient },
  pushesSent: { ...plain, kind: kinds.pushSent, dimensions: ['platform'] },
  pushesOpened: { ...plain, kind: kinds.pushOpened, dimensions: ofClient },
};

/** The metrics that are counted by link, with their column in `analytics.link_counts`. */
export const linkColumns = {
  clicks: 'clicks',
  storeRedirects: 'store_redirects',
  opens: 'opens',
  restores: 'restores',
  attributedInstalls: 'attributed_installs',
} as const satisfies Partial<Record<AnalyticsMetric, string>>;
export type LinkMetric = keyof typeof linkColumns;
export const linkMetrics = Object.keys(linkColumns) as LinkMetric[];

export const isOfLinks = (metric: AnalyticsMetric): metric is LinkMetric => metric in linkColumns;

/** Metrics that facts count for one by one. Visitors and attributed installs are counted when their other facts are known. */
export const plainMetrics = (Object.keys(metrics) as AnalyticsMetric[]).filter(
  (metric) => metric !== 'visitors' && metric !== 'attributedInstalls',
);
const ofKind = Map.groupBy(plainMetrics, (metric) => metrics[metric].kind);
const CLICKS_ONLY: readonly AnalyticsMetric[] = ['clicks'];

export const metricsOf = ({ kind, toStore }: Fact): readonly AnalyticsMetric[] =>
  kind === kinds.click && !toStore ? CLICKS_ONLY : ofKind.get(kind)!;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** True for what may be the id of a link. */
export const isUuid = (value: string | null): boolean => value !== null && UUID.test(value);

export const LABEL = 'label:';

/** Returns the key of a label, or null for another dimension. */
export const labelOf = (dimension: AnalyticsDimension): string | null =>
  dimension.startsWith(LABEL) ? dimension.slice(LABEL.length) : null;

/** True when the metric can be split and filtered by the dimension. */
export function has(metric: AnalyticsMetric, dimension: AnalyticsDimension): boolean {
  const { dimensions, labels, viaClick } = metrics[metric];
  if (labelOf(dimension) !== null) return labels || viaClick;
  const fixed = dimension as FixedDimension;
  return dimensions.includes(fixed) || (viaClick && ofClick.includes(fixed));
}

/**
 * True for the values that people type into addresses: `Spring`, `spring` and `spring ` mean one campaign. Stores fold such
 * values where they read a group or compare with a filter, and nowhere else: what is stored keeps its spelling.
 */
export const isFolded = (dimension: AnalyticsDimension): boolean => dimension.startsWith('utm');

/** True when the counts have the metric by this dimension. */
export function isCounted(metric: AnalyticsMetric, dimension: AnalyticsDimension): boolean {
  if (metric === 'visitors') return false;
  const { dimensions, labels } = metrics[metric];
  return labelOf(dimension) === null ? dimensions.includes(dimension as FixedDimension) : labels;
}

/** True when the counts by this dimension leave out facts without a value. */
export const isSparse = (metric: AnalyticsMetric, dimension: AnalyticsDimension): boolean =>
  labelOf(dimension) !== null || metrics[metric].sparse.includes(dimension as FixedDimension);

/** True for a dimension that only the click has. */
export function isOfClick(metric: AnalyticsMetric, dimension: AnalyticsDimension): boolean {
  const { viaClick, dimensions } = metrics[metric];
  return viaClick && !dimensions.includes(dimension as FixedDimension);
}
