import { Group, Paper, Pill, SegmentedControl, Select, Switch, Text, TextInput, Title } from '@mantine/core';
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import {
  type Dimension,
  firstDay,
  METRICS,
  type Metric,
  PRESETS,
  type Preset,
  type Range,
  rangeOf,
  type View,
  viewOf,
} from '../../../parts/analytics/view.ts';
import { Lines } from '../../../parts/lines.tsx';
import { CsvButton } from '../../../parts/page/links.tsx';
import { Loaded, Page, Waiting } from '../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/apps/$appId/analytics')({ validateSearch: viewOf, component: Analytics });

// What stands below the chart is loaded after it.
const Details = lazyRouteComponent(() => import('../../../parts/analytics/details.tsx'), 'Details');

/** Pixels of the panel with the chart, so that what stands below does not move when it is loaded. */
const PANEL_HEIGHT = 346;

function Analytics() {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const { id: appId, timeZone } = useApp();
  const view = Route.useSearch();
  const { days = '30', from, to, metric = 'clicks', by = 'link', filter = [], compare = false } = view;
  const navigate = Route.useNavigate();
  const change = (view: View) =>
    void navigate({ search: (before) => viewOf({ ...before, ...view }), resetScroll: false });
  const range = rangeOf(view, timeZone);
  const isCustom = from !== undefined;
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics', {
    params: { path: { appId }, query: { metric, ...range, ...(compare && { compare: 'previous' }) } },
  });
  return (
    <Page title={t('title')} actions={<CsvButton href={csvOf(appId, { metric, groupBy: by, ...range })} />}>
      <Group align="flex-end">
        <SegmentedControl
          aria-label={t('range')}
          data={[
            ...PRESETS.map((value) => ({ value: value as string, label: t('days', { days: value }) })),
            { value: 'custom', label: t('custom') },
          ]}
          value={isCustom ? 'custom' : days}
          onChange={(value) =>
            change(
              value === 'custom'
                ? { from: range.from, to: firstDay('1', timeZone) }
                : { days: value as Preset, from: undefined, to: undefined },
            )
          }
        />
        {isCustom &&
          (['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="date"
              aria-label={t(end)}
              value={view[end]}
              {...(end === 'from' ? { max: to } : { min: from })}
              onChange={({ currentTarget: { value } }) => value && change({ [end]: value })}
            />
          ))}
        <Select
          aria-label={t('metric')}
          data={METRICS.map((value) => ({ value, label: t(`metrics.${value}`) }))}
          value={metric}
          onChange={(value) => value && change({ metric: value as Metric })}
        />
        <Switch
          label={t('compare')}
          checked={compare}
          onChange={({ currentTarget: { checked } }) => change({ compare: checked || undefined })}
        />
      </Group>
      {filter.length > 0 && (
        <Group gap="xs" role="list" aria-label={t('filters')}>
          {filter.map((one) => (
            <Pill
              key={one}
              role="listitem"
              withRemoveButton
              onRemove={() => change({ filter: filter.filter((other) => other !== one) })}
              removeButtonProps={{
                'aria-label': t('removeFilter', { filter: one }),
                'aria-hidden': false,
                tabIndex: 0,
              }}
            >
              {one}
            </Pill>
          ))}
        </Group>
      )}
      <Paper withBorder p="md" mih={PANEL_HEIGHT}>
        <Loaded query={query} rows={8}>
          {(figures) => (
            <>
              <Group justify="space-between">
                <Title order={2} size="h4">
                  {t('total', { metric: t(`metrics.${metric}`), total: format.number(figures.total) })}
                </Title>
                <Text size="xs">{t('zone', { timeZone: figures.timeZone })}</Text>
              </Group>
              {figures.previous && <Text>{t('before', { total: format.number(figures.previous.total) })}</Text>}
              {metric === 'visitors' && <Text>{t('visitorsHint')}</Text>}
              <Lines
                figures={figures}
                name={t(`metrics.${metric}`)}
                label={t('total', { metric: t(`metrics.${metric}`), total: format.number(figures.total) })}
                before={t('previous')}
              />
              <Completeness {...figures} />
            </>
          )}
        </Loaded>
      </Paper>
      <Suspense fallback={<Waiting rows={8} />}>
        <Details
          metric={metric}
          range={range}
          by={by}
          compare={compare}
          onBy={(dimension) => change({ by: dimension })}
          onFilter={(dimension: Dimension, value) =>
            change({ filter: [...new Set([...filter, `${dimension}:${value ?? ''}`])] })
          }
        />
      </Suspense>
    </Page>
  );
}

/** Counts begin when the app began, or when analytics was installed. */
function Completeness({ completeFrom, from }: { completeFrom: string | null; from: string }) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  if (completeFrom === null || completeFrom <= from) return null;
  return (
    <Text mt="xs">
      {t('completeFrom', {
        time: format.dateTime(new Date(completeFrom), { dateStyle: 'medium', timeStyle: 'short' }),
      })}
    </Text>
  );
}

function csvOf(appId: string, { filter, ...query }: Range & { metric: string; groupBy: string }): string {
  const parameters = new URLSearchParams(query);
  for (const one of filter) parameters.append('filter', one);
  return `/api/manage/apps/${appId}/analytics/export?${parameters}`;
}
