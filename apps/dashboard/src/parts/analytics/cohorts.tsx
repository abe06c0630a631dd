import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import type { Range } from './view.ts';

/** Days after the install that are shown. The list of the API begins with day 1. */
const SHOWN = [1, 2, 3, 7, 14, 30] as const;

/** How many of the devices of each day came back later. */
export function Cohorts({ appId, range }: { appId: string; range: Range }) {
  const t = useTranslations('cohorts');
  const format = useFormatter();
  const query = useQuery(
    api.queryOptions('get', '/api/manage/apps/{appId}/analytics/cohorts', {
      params: { path: { appId }, query: { from: range.from, to: range.to } },
    }),
  );
  return (
    <Section title={t('title')}>
      <Text size="sm">{t('intro')}</Text>
      <Loaded query={query}>
        {({ cohorts }) => {
          const days = cohorts.filter(({ installs }) => installs > 0);
          if (days.length === 0) return <Text>{t('empty')}</Text>;
          return (
            <Table.ScrollContainer minWidth={440} mah={420}>
              <Table verticalSpacing={4} horizontalSpacing={6} stickyHeader>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('day')}</Table.Th>
                    <Table.Th ta="right">{t('installs')}</Table.Th>
                    {SHOWN.map((day) => (
                      <Table.Th key={day} ta="right" style={{ whiteSpace: 'nowrap' }}>
                        {t('after', { day })}
                      </Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {days.map(({ day, installs, active }) => (
                    <Table.Tr key={day}>
                      <Table.Td style={{ whiteSpace: 'nowrap' }}>
                        {format.dateTime(new Date(day), { month: 'short', day: 'numeric', timeZone: 'UTC' })}
                      </Table.Td>
                      <Table.Td ta="right">{format.number(installs)}</Table.Td>
                      {SHOWN.map((after) => {
                        const count = active[after - 1] ?? null;
                        return (
                          <Table.Td key={after} ta="right">
                            {count === null ? '–' : format.number(count / installs, { style: 'percent' })}
                          </Table.Td>
                        );
                      })}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          );
        }}
      </Loaded>
    </Section>
  );
}
