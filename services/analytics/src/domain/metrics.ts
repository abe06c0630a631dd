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

export interface Metric {
  readonly kind: Kind;
  /** The dimensions by which it is counted, besides labels. Null: the fact has no counts by dimension. */
  readonly dimensions: readonly FixedDimension[];
  readonly labels: boolean;
  /** Further dimensions of the click that led to the fact. They are answered from facts. */
  readonly viaClick: boolean;
}

const plain = { labels: false, viaClick: false };

export const metrics: Readonly<Record<AnalyticsMetric, Metric>> = {
  clicks: { kind: kinds.click, dimensions: ofClick, labels: true, viaClick: false },
  visitors: { kind: kinds.click, dimensions: ofClick, labels: true, viaClick: false },
  storeRedirects: { kind: kinds.click, dimensions: ofClick, labels: true, viaClick: false },
  installs: { ...plain, kind: kinds.install, dimensions: ofClient },
  attributedInstalls: {
    kind: kinds.install,
    dimensions: ['link', 'matchType', ...ofClient],
    labels: false,
    viaClick: true,
  },
  restores: { kind: kinds.restore, dimensions: ['link', 'matchType', ...ofClient], labels: false, viaClick: true },
  opens: { kind: kinds.open, dimensions: ['link', ...ofClient], labels: true, viaClick: false },
  activeDevices: { ...plain, kind: kinds.active, dimensions: ofClient },
  linksCreated: { kind: kinds.linkCreated, dimensions: [], labels: true, viaClick: false },
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

export const isOfLinks = (metric: AnalyticsMetric): metric is LinkMetric => metric in linkColumns;

/** The metrics that a fact counts for. Visitors and attributed installs are counted when their other facts are known. */
export function metricsOf(fact: Fact): readonly AnalyticsMetric[] {
  if (fact.kind !== kinds.click) return ofKind.get(fact.kind)!;
  return fact.toStore ? ['clicks', 'storeRedirects'] : ['clicks'];
}

const ofKind: ReadonlyMap<Kind, readonly AnalyticsMetric[]> = new Map([
  [kinds.open, ['opens']],
  [kinds.install, ['installs']],
  [kinds.restore, ['restores']],
  [kinds.active, ['activeDevices']],
  [kinds.linkCreated, ['linksCreated']],
  [kinds.registration, ['registrations']],
  [kinds.pushSent, ['pushesSent']],
  [kinds.pushOpened, ['pushesOpened']],
]);

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

/** True when the counts have the metric by this dimension. */
export function isCounted(metric: AnalyticsMetric, dimension: AnalyticsDimension): boolean {
  if (metric === 'visitors') return false;
  const { dimensions, labels } = metrics[metric];
  return labelOf(dimension) === null ? dimensions.includes(dimension as FixedDimension) : labels;
}

/** True for a dimension that only the click has. */
export function isOfClick(metric: AnalyticsMetric, dimension: AnalyticsDimension): boolean {
  const { viaClick, dimensions } = metrics[metric];
  return viaClick && !dimensions.includes(dimension as FixedDimension);
}
