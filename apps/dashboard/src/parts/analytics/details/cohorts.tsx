import { ScrollArea, Table, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { Loaded, Section } from '../../page/page.tsx';
import type { Asked } from '../view.ts';

/** The days after an install, which the list of the API has in this order. */
const DAYS = Array.from({ length: 30 }, (_, i) => i + 1);

/** How many of the devices of each day came back later: all days, to scroll through in both directions. */
export function Cohorts({ asked: { from, to } }: { asked: Asked }) {
  const t = useTranslations('cohorts');
  const format = useFormatter();
  const { id: appId } = useApp();
  const nameOf = (day: string) => format.dateTime(new Date(day), { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics/cohorts', {
    params: { path: { appId }, query: { from, ...(to !== undefined && { to }) } },
  });
  const shareOf = (count: number | null | undefined, installs: number) =>
    count === null || count === undefined ? '–' : format.number(count / installs, { style: 'percent' });
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <Loaded query={query} rows={10}>
        {({ cohorts }) => {
          const rows = cohorts.filter(({ installs }) => installs > 0).toReversed();
          if (rows.length === 0) return <Text size="md">{t('empty')}</Text>;
          return (
            <>
              <Text size="xs">{t('scroll', { rows: rows.length, days: DAYS.length })}</Text>
              <ScrollArea.Autosize mah={460} type="always" offsetScrollbars viewportProps={{ tabIndex: 0 }}>
                <Table stickyHeader verticalSpacing={4} horizontalSpacing={6} style={{ whiteSpace: 'nowrap' }} mb="md">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('day')}</Table.Th>
                      <Table.Th ta="right">{t('installs')}</Table.Th>
                      {DAYS.map((day) => (
                        <Table.Th key={day} ta="right">
                          {t('after', { day })}
                        </Table.Th>
                      ))}
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map(({ day, installs, active }) => (
                      <Table.Tr key={day}>
                        <Table.Th scope="row">{nameOf(day)}</Table.Th>
                        <Table.Td ta="right">{format.number(installs)}</Table.Td>
                        {DAYS.map((after) => (
                          <Table.Td key={after} ta="right">
                            {shareOf(active[after - 1], installs)}
                          </Table.Td>
                        ))}
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </ScrollArea.Autosize>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
