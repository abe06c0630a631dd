import { daysOf } from '@landfall/api-client/ranges';
import { Group, Paper, Select, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import classes from '../../../parts/analytics/analytics.module.css';
import { AddFilter } from '../../../parts/analytics/choices/add-filter.tsx';
import { Filters, Toolbar } from '../../../parts/analytics/choices/toolbar.tsx';
import { Headline } from '../../../parts/analytics/headline.tsx';
import { useNames } from '../../../parts/analytics/names.ts';
import { type FigureQuestion, figureQuery } from '../../../parts/analytics/queries.ts';
import {
  askedOf,
  compareOf,
  METRICS,
  type Metric,
  metricsOf,
  type View,
  viewOf,
} from '../../../parts/analytics/view.ts';
import { Lines } from '../../../parts/lines.tsx';
import { Loaded, Page, Waiting } from '../../../parts/page/page.tsx';
import { useView } from '../../../parts/views/address.ts';

export const Route = createFileRoute('/_app/apps/$appId/analytics')({ validateSearch: viewOf, component: Analytics });

// The parts below the chart are loaded after it.
const Details = lazyRouteComponent(() => import('../../../parts/analytics/details/details.tsx'), 'Details');

const ShareButton = lazyRouteComponent(() => import('../../../parts/shares/share-button.tsx'), 'ShareButton');
const ViewsMenu = lazyRouteComponent(() => import('../../../parts/views/views-menu.tsx'), 'ViewsMenu');

/** Pixels of the panel with the chart, so that what stands below does not move when it is loaded. */
const PANEL_HEIGHT = 376;

function Analytics() {
  const t = useTranslations('analytics');
  const { id: appId, timeZone } = useApp();
  const view = useView(Route, viewOf);
  const { metric = 'clicks', filter = [] } = view;
  const navigate = Route.useNavigate();
  const change = (view: View) =>
    void navigate({ search: (before) => viewOf({ ...before, ...view }), resetScroll: false });
  const asked = askedOf(view, timeZone);
  const question = { asked, compare: compareOf(view), interval: daysOf(view, timeZone).interval };
  return (
    <Page
      title={t('title')}
      actions={
        <Suspense fallback={<Skeleton w={200} h={36} />}>
          <ViewsMenu page="analytics" />
          <ShareButton view={view} />
        </Suspense>
      }
    >
      <Toolbar view={view} change={change} timeZone={timeZone}>
        <AddFilter metric={metric} asked={asked} onChange={(filter) => change({ filter })} />
      </Toolbar>
      <Filters filter={filter} onChange={(filter) => change({ filter })} />
      <Headline {...question} view={view} metric={metric} onMetric={(metric) => change({ metric })} />
      <Panel appId={appId} metric={metric} question={question} onMetric={(metric) => change({ metric })} />
      <Suspense fallback={<Waiting rows={8} />}>
        <Details
          view={view}
          question={{ asked, compare: question.compare, metrics: metricsOf(metric) }}
          all={view.all}
          onAll={(all, order) => change({ all, order })}
          onFilter={(filter) => change({ filter, all: undefined })}
        />
      </Suspense>
    </Page>
  );
}

interface PanelProps {
  appId: string;
  metric: Metric;
  question: FigureQuestion;
  onMetric: (metric: Metric) => void;
}

/** The chosen figure over time. */
function Panel({ appId, metric, question, onMetric }: PanelProps) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const query = useQuery(figureQuery(appId, metric, question));
  const figures = useMemo(() => query.data, [query.data]);
  const name = t(`metrics.${metric}`);
  const lack = useNames().lackOf(metric, question.asked.filter);
  const before = t(`periods.${question.compare.compare ?? 'previous'}`);
  return (
    <Paper withBorder p="md" mih={PANEL_HEIGHT} aria-busy={query.isPlaceholderData} className={classes.old!}>
      <Group justify="space-between" mb="xs">
        <Select
          aria-label={t('metric')}
          data={METRICS.map((value) => ({ value, label: t(`metrics.${value}`) }))}
          value={metric}
          onChange={(value) => value && onMetric(value as Metric)}
        />
        {figures && <Text size="xs">{t('zone', { timeZone: figures.timeZone })}</Text>}
      </Group>
      {lack === null ? (
        <Loaded query={query} rows={8}>
          {({ total, previous, completeFrom, from }) => (
            <>
              <Title order={2} size="h4">
                {t('total', { metric: name, total: format.number(total) })}
              </Title>
              <Text>
                {t(`explained.${metric}`)} {previous && t('before', { total: format.number(previous.total), before })}
              </Text>
              <Lines
                figures={figures}
                name={name}
                label={t('total', { metric: name, total: format.number(total) })}
                before={before}
              />
              <Completeness completeFrom={completeFrom} from={from} />
            </>
          )}
        </Loaded>
      ) : (
        <Text size="md">
          {lack} {t('cardsLack')}
        </Text>
      )}
    </Paper>
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
