// Makes the message of a report: figures of its days, how they changed, and the top campaigns, links and countries.
import {
  type AnalyticsDimension,
  type AnalyticsMetric,
  type App,
  QueryAnalytics,
  QueryBreakdowns,
} from '@landfall/contracts';
import { withNames } from '../analytics/asked.ts';
import type { Message } from '../channels/message.ts';
import type { ConsoleParts } from '../parts.ts';
import type { ReportView } from './report-repository.ts';

export type ComposeParts = Pick<ConsoleParts, 'forward' | 'lookups' | 'config'>;

const HEADLINES = [
  'clicks',
  'installs',
  'attributedInstalls',
  'restores',
  'opens',
] as const satisfies AnalyticsMetric[];
const WORDS: Record<(typeof HEADLINES)[number], string> = {
  clicks: 'Taps',
  installs: 'All installs',
  attributedInstalls: 'Installs from links',
  restores: 'Restores',
  opens: 'Opens',
};
const TOPS = ['utmCampaign', 'link', 'country'] as const satisfies AnalyticsDimension[];
const TITLES: Record<(typeof TOPS)[number], string> = {
  utmCampaign: 'Campaigns',
  link: 'Links',
  country: 'Countries',
};
/** The words for the figures of a row, for one and for more. */
const TOP_WORDS = [
  ['tap', 'taps'],
  ['install from links', 'installs from links'],
] as const;
const TOP = 5;
/** All reports are one caller of analytics. */
const CALLER = 'reports';
const WAIT = { timeoutMs: 25_000 };

/** @param behind some events of these days may not be counted yet */
export async function composeReport(
  report: Pick<ReportView, 'id' | 'name' | 'every'>,
  app: App,
  days: { from: string; to: string },
  behind: boolean,
  parts: ComposeParts,
): Promise<Message> {
  const asked = { appId: app.id, caller: CALLER, ...days };
  // One after the other: a caller of analytics has few places.
  const figures = [];
  for (const metric of HEADLINES) figures.push(await figureOf(metric, asked, app, parts));
  const top = await parts.forward(
    QueryBreakdowns,
    // One more, in case that one of them is "none".
    { ...asked, metrics: ['clicks', 'attributedInstalls'], dimensions: [...TOPS], limit: TOP + 1 },
    WAIT,
  );
  const { from, timeZone } = top;
  const groups = await Promise.all(
    top.breakdowns.map(async ({ dimension, groups }) => ({
      dimension: dimension as (typeof TOPS)[number],
      groups: await named(dimension, groups.filter(({ value }) => value !== null).slice(0, TOP), parts),
    })),
  );
  const late = lateOf(
    [...figures.map(({ completeFrom }) => completeFrom), ...top.breakdowns.map((one) => one.completeFrom)],
    // An app has nothing before it was made.
    [from, app.createdAt].sort()[1]!,
  );
  const url = `${parts.config.PUBLIC_URL}/apps/${app.id}/analytics?from=${days.from}&to=${days.to}`;
  return {
    type: 'report',
    title: `${report.name}: ${app.name}, ${spanOf(days)}`,
    lines: figures.map(
      ({ metric, value, previous }) => `${WORDS[metric]}: ${shown(value)}${changeOf(value, previous)}`,
    ),
    sections: groups
      .filter(({ groups }) => groups.length > 0)
      .map(({ dimension, groups }) => ({
        title: TITLES[dimension],
        rows: groups.map(({ label, totals }): [string, string] => [
          label.slice(0, 300),
          totals.map((n, place) => counted(n, TOP_WORDS[place]!)).join(', '),
        ]),
      })),
    notes: [
      `Days of ${timeZone}. Changes are against the time of equal length before.`,
      ...(late === null ? [] : [`Not complete: figures before ${late.slice(0, 10)} were not all counted.`]),
      ...(behind ? ['Not complete: the events of the last minutes were not all counted when this was made.'] : []),
    ],
    url,
    data: {
      reportId: report.id,
      appId: app.id,
      appName: app.name,
      every: report.every,
      ...days,
      timeZone,
      url,
      complete: late === null && !behind,
      figures: figures.map(({ metric, value, previous }) => ({ metric, value, previous })),
      top: Object.fromEntries(
        groups.map(({ dimension, groups }) => [
          dimension,
          groups.map(({ value, label, totals: [clicks, attributedInstalls] }) => ({
            value,
            name: label,
            clicks,
            attributedInstalls,
          })),
        ]),
      ),
    },
  };
}

interface Asked {
  appId: string;
  caller: string;
  from: string;
  to: string;
}

async function figureOf(metric: (typeof HEADLINES)[number], asked: Asked, app: App, { forward }: ComposeParts) {
  const question = { ...asked, metric, interval: 'total' as const, previous: true, appSince: app.createdAt };
  const found = await forward(QueryAnalytics, question, WAIT);
  return {
    metric,
    value: found.total,
    previous: found.previous?.complete ? found.previous.total : null,
    completeFrom: found.completeFrom,
  };
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

async function named<G extends { value: string | null; name: string | null }>(
  dimension: string,
  groups: readonly G[],
  { lookups }: ComposeParts,
): Promise<(G & { label: string })[]> {
  if (dimension !== 'link')
    return groups.map((group) => ({
      ...group,
      label: dimension === 'country' ? countryOf(group.value!) : group.value!,
    }));
  const named = await withNames(groups, null, { lookups } as ConsoleParts);
  return named.map((group) => ({ ...group, label: group.name ?? group.value! }));
}

const countryOf = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code);

/** The time since which figures are complete, if the period begins before. Nothing was counted ever: all is complete. */
const lateOf = (times: readonly (string | null)[], from: string): string | null =>
  times
    .filter((time): time is string => time !== null && time > from)
    .sort()
    .at(-1) ?? null;

const shown = (n: number): string => n.toLocaleString('en', { maximumFractionDigits: 1 });

/** @param n null: it is not known */
const counted = (n: number | null, [one, more]: readonly [string, string]): string =>
  `${n === null ? '–' : shown(n)} ${n === 1 ? one : more}`;

/** @param previous null: it is not complete */
export function changeOf(value: number, previous: number | null): string {
  if (previous === null) return '';
  if (previous === 0) return value === 0 ? '' : ' (before: 0)';
  const percent = Math.round(((value - previous) / previous) * 100);
  return ` (${percent > 0 ? '+' : ''}${percent}%)`;
}

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const spanOf = ({ from, to }: { from: string; to: string }): string =>
  from === to ? format.format(new Date(from)) : format.formatRange(new Date(from), new Date(to));
