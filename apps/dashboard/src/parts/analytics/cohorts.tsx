import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { type Column, DataTable } from '../page/data-table.tsx';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import type { Range } from './view.ts';

/** Days after the install that are shown. The list of the API begins with day 1. */
const SHOWN = [1, 2, 3, 7, 14, 30] as const;

/** How many of the devices of each day came back later. */
export function Cohorts({ appId, range }: { appId: string; range: Range }) {
  const t = useTranslations('cohorts');
  const format = useFormatter();
  const nameOf = (day: string) => format.dateTime(new Date(day), { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const query = useQuery(
    api.queryOptions('get', '/api/manage/apps/{appId}/analytics/cohorts', {
      params: { path: { appId }, query: { from: range.from, to: range.to } },
    }),
  );
  return (
    <Section title={t('title')}>
      <Text size="sm">{t('intro')}</Text>
      <Loaded query={query}>
        {({ cohorts }) => (
          <DataTable
            stickyHeader
            verticalSpacing={4}
            horizontalSpacing={6}
            minWidth={440}
            mah={420}
            rows={cohorts.filter(({ installs }) => installs > 0)}
            rowKey="day"
            empty={t('empty')}
            columns={[
              { heading: t('day'), style: { whiteSpace: 'nowrap' }, cell: ({ day }) => nameOf(day) },
              { heading: t('installs'), ta: 'right', cell: ({ installs }) => format.number(installs) },
              ...SHOWN.map(
                (day): Column<(typeof cohorts)[number]> => ({
                  heading: t('after', { day }),
                  ta: 'right',
                  style: { whiteSpace: 'nowrap' },
                  cell({ installs, active }) {
                    const count = active[day - 1] ?? null;
                    return count === null ? '–' : format.number(count / installs, { style: 'percent' });
                  },
                }),
              ),
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
