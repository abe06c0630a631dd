import { daysOf } from '@landfall/api-client/ranges';
import { Group, Select, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { type DateTimeFormatOptions, useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { AddFilter } from '../../../parts/analytics/choices/add-filter.tsx';
import { Filters, RangeFields } from '../../../parts/analytics/choices/toolbar.tsx';
import { useNames } from '../../../parts/analytics/names.ts';
import { FIGURES, metricOfRows, type RowFigure, type RowsView, rowsViewOf } from '../../../parts/analytics/rows.ts';
import { ROWS, RowsTable } from '../../../parts/analytics/rows-table.tsx';
import { CsvButton, PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';
import { dayOf } from '../../../parts/time.tsx';
import { useView } from '../../../parts/views/address.ts';

export const Route = createFileRoute('/_app/apps/$appId/events')({ validateSearch: rowsViewOf, component: Events });

const CLOCK = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** What a figure counts, one by one, with the range and the filters of the figure. */
function Events() {
  const t = useTranslations('rows');
  const names = useTranslations('analytics');
  const format = useFormatter();
  const { id: appId, timeZone } = useApp();
  const view = useView(Route, rowsViewOf);
  const { figure = 'clicks', filter = [], spelling } = view;
  const navigate = Route.useNavigate();
  const change = (changed: RowsView) => void navigate({ search: (before) => rowsViewOf({ ...before, ...changed }) });
  const { days } = daysOf(view, timeZone);
  const asked = { figure, ...days, filter, ...(spelling && { spelling }) };
  const lack = useNames().lackOf(metricOfRows(figure), filter);
  const query = api.useInfiniteQuery(
    'get',
    ROWS,
    { params: { path: { appId }, query: { ...asked, limit: 50 } } },
    { ...cursorPages, enabled: lack === null },
  );
  const nameOf = (figure: RowFigure) =>
    figure.startsWith('funnel.')
      ? t(`figures.${figure.slice(7) as 'restores' | 'installs' | 'opens'}`)
      : names(`metrics.${figure as 'clicks'}`);
  const total = query.data?.pages[0]?.total ?? null;
  const { figure: _, ...same } = view;
  return (
    <Page
      title={nameOf(figure)}
      actions={
        <>
          <PageLink to="/apps/$appId/analytics" params={{ appId }} search={same}>
            {t('back')}
          </PageLink>
          {lack === null && (
            <CsvButton href={csvOf(appId, asked)} {...(total !== null && { text: t('csv', { count: total }) })} />
          )}
        </>
      }
    >
      <Group align="flex-end" gap="sm">
        <RangeFields view={view} change={change} timeZone={timeZone} />
        <Select
          label={names('metric')}
          flex={1}
          miw={150}
          maw={280}
          data={FIGURES.map((value) => ({ value, label: nameOf(value) }))}
          value={figure}
          onChange={(value) => value && change({ figure: value as RowFigure })}
        />
        <AddFilter
          metric={metricOfRows(figure)}
          asked={{ ...days, filter, ...(spelling && { spelling }) }}
          onChange={(filter) => change({ filter })}
        />
      </Group>
      <Filters filter={filter} onChange={(filter) => change({ filter })} />
      {lack !== null ? (
        <Text size="md">
          {lack} {names('cardsLack')}
        </Text>
      ) : (
        <Loaded query={query} rows={10}>
          {({ total, from, to, completeFrom, events }) => {
            const day = (at: string, more?: DateTimeFormatOptions) =>
              format.dateTime(new Date(at), { ...dayOf(at), ...more });
            const shown = { total: total ?? 0, from: day(from), to: day(to, CLOCK) };
            return (
              <>
                <Text>{t('summary', shown)}</Text>
                {completeFrom !== null && completeFrom > from && (
                  <Text>{t('kept', { time: day(completeFrom, CLOCK) })}</Text>
                )}
                <RowsTable appId={appId} figure={figure} events={events} />
              </>
            );
          }}
        </Loaded>
      )}
    </Page>
  );
}

function csvOf(appId: string, { filter, ...rest }: { filter: readonly string[]; [name: string]: unknown }): string {
  const parameters = new URLSearchParams(rest as Record<string, string>);
  for (const one of filter) parameters.append('filter', one);
  return `/api/manage/apps/${appId}/analytics/events/export?${parameters}`;
}
