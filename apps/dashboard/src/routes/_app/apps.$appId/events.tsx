import { daysOf, isDay } from '@landfall/api-client/ranges';
import { Button, Group, Select, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type DateTimeFormatOptions, useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { MOST_ROWS, rowsFile } from '../../../parts/analytics/details/rows-file.ts';
import { useNames } from '../../../parts/analytics/names.ts';
import { FIGURES, metricOfRows, type RowFigure, type RowsView, rowsViewOf } from '../../../parts/analytics/rows.ts';
import { ROWS, RowsTable } from '../../../parts/analytics/rows-table.tsx';
import { Filters, RangeFields } from '../../../parts/analytics/toolbar.tsx';
import { download } from '../../../parts/page/download.ts';
import { PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';
import { useFailureToast } from '../../../parts/page/use-command.ts';
import { dayOf } from '../../../parts/time.tsx';
import { useView } from '../../../parts/views/address.ts';

export const Route = createFileRoute('/_app/apps/$appId/events')({ validateSearch: rowsViewOf, component: Events });

const CLOCK = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** Returns the day of a time in a zone as midnight in UTC, for the name of a file. */
const dayIn = (at: string, timeZone: string): Date =>
  new Date(isDay(at) ? at : new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(at)));

/** What a figure counts, one by one, with the range and the filters of the figure. */
function Events() {
  const t = useTranslations('rows');
  const names = useTranslations('analytics');
  const inWindow = useTranslations('window');
  const format = useFormatter();
  const { id: appId, subdomain, timeZone } = useApp();
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
  const [first, last] = [dayIn(days.from, timeZone), dayIn(days.to ?? new Date().toISOString(), timeZone)];
  const file = useMutation({
    mutationFn: async () => {
      const [from, to] = [first, last].map((day) => day.toISOString().slice(0, 10));
      download(await rowsFile(appId, asked), `${subdomain}-${figure}-${from}-to-${to}.csv`);
    },
    meta: { refetch: false },
    onError: useFailureToast(),
  });
  const { figure: _, ...same } = view;
  return (
    <Page
      title={nameOf(figure)}
      actions={
        <>
          <PageLink to="/apps/$appId/analytics" params={{ appId }} search={same}>
            {t('back')}
          </PageLink>
          <Button
            variant="default"
            leftSection={<Download size={16} aria-hidden />}
            loading={file.isPending}
            disabled={lack !== null}
            onClick={() => file.mutate()}
          >
            {inWindow('csv')}
          </Button>
        </>
      }
    >
      <Group align="flex-end" gap="sm">
        <RangeFields view={view} change={change} timeZone={timeZone} />
        <Select
          label={names('metric')}
          w={280}
          data={FIGURES.map((value) => ({ value, label: nameOf(value) }))}
          value={figure}
          onChange={(value) => value && change({ figure: value as RowFigure })}
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
                <Text>
                  {shown.total > MOST_ROWS ? t('summaryFile', { ...shown, count: MOST_ROWS }) : t('summary', shown)}
                </Text>
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
