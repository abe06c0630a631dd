import { daysOf, isDay } from '@landfall/api-client/ranges';
import { Group, Select, Text, Title } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { FIGURES, metricOfRows, type RowFigure, type RowsView, rowsViewOf } from '../../../parts/analytics/rows.ts';
import { ROWS, RowsTable } from '../../../parts/analytics/rows-table.tsx';
import { Filters } from '../../../parts/analytics/toolbar.tsx';
import { filterOf, has } from '../../../parts/analytics/view.ts';
import { PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';
import { useView } from '../../../parts/views/address.ts';

export const Route = createFileRoute('/_app/apps/$appId/events')({ validateSearch: rowsViewOf, component: Events });

/** Returns the day of a time in a zone as midnight in UTC, for a title that names days. */
const dayIn = (at: string, timeZone: string): Date =>
  new Date(isDay(at) ? at : new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(at)));

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
  const query = api.useInfiniteQuery(
    'get',
    ROWS,
    { params: { path: { appId }, query: { figure, ...days, filter, ...(spelling && { spelling }), limit: 50 } } },
    { ...cursorPages, enabled: filter.every((one) => has(metricOfRows(figure), filterOf(one)!.dimension)) },
  );
  const nameOf = (figure: RowFigure) =>
    figure.startsWith('funnel.')
      ? t(`figures.${figure.slice(7) as 'restores' | 'installs' | 'opens'}`)
      : names(`metrics.${figure as 'clicks'}`);
  const lacks = filter.some((one) => !has(metricOfRows(figure), filterOf(one)!.dimension));
  const { figure: _, ...same } = view;
  const [first, last] = [dayIn(days.from, timeZone), dayIn(days.to ?? new Date().toISOString(), timeZone)];
  return (
    <Page
      title={t('title', {
        figure: nameOf(figure),
        days: format.dateTimeRange(first, last, {
          ...{ month: 'long', day: 'numeric', timeZone: 'UTC' },
          ...(first.getUTCFullYear() !== new Date().getUTCFullYear() && { year: 'numeric' }),
        }),
      })}
      actions={
        <PageLink to="/apps/$appId/analytics" params={{ appId }} search={same}>
          {t('back')}
        </PageLink>
      }
    >
      <Group align="flex-end">
        <Select
          label={names('metric')}
          w={280}
          data={FIGURES.map((value) => ({ value, label: nameOf(value) }))}
          value={figure}
          onChange={(value) => value && change({ figure: value as RowFigure })}
        />
      </Group>
      <Filters filter={filter} onChange={(filter) => change({ filter })} />
      {lacks ? (
        <Text size="md">{names('cardsLack')}</Text>
      ) : (
        <Loaded query={query} rows={10}>
          {({ total, from, to, completeFrom, events }) => {
            const time = (at: string) => format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });
            return (
              <>
                <Title order={2} size="h4">
                  {names('total', { metric: nameOf(figure), total: format.number(total ?? 0) })}
                </Title>
                <Text>{t('range', { from: time(from), to: time(to), timeZone })}</Text>
                {completeFrom !== null && completeFrom > from && <Text>{t('kept', { time: time(completeFrom) })}</Text>}
                <RowsTable appId={appId} figure={figure} events={events} />
              </>
            );
          }}
        </Loaded>
      )}
    </Page>
  );
}
