import { ScrollArea, Table, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { Loaded, Section } from '../../page/page.tsx';
import classes from '../analytics.module.css';
import { useNames } from '../names.ts';
import { type Asked, filterOf, has } from '../view.ts';

/** The days after an install, which the list of the API has in this order. */
const DAYS = Array.from({ length: 30 }, (_, i) => i + 1);

/** How many of the devices of each day came back later: all days, to scroll through in both directions. */
export function Cohorts({ asked: { from, to, filter } }: { asked: Asked }) {
  const t = useTranslations('cohorts');
  const format = useFormatter();
  const names = useNames();
  const { id: appId } = useApp();
  const { known = [], others = [] } = Object.groupBy(filter, (one) =>
    has('installs', filterOf(one)!.dimension) ? 'known' : 'others',
  );
  const lacking = [...new Set(others.map((one) => names.of(filterOf(one)!.dimension)))];
  const nameOf = (day: string) => format.dateTime(new Date(day), { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics/cohorts', {
    params: { path: { appId }, query: { from, ...(to !== undefined && { to }), filter: known } },
  });
  const cell = (after: number, share: number | null) => (
    <Table.Td
      key={after}
      ta="right"
      {...(share !== null && { className: classes.share!, style: { '--share': `${Math.round(100 * share)}%` } })}
    >
      {share === null ? '–' : format.number(share, { style: 'percent' })}
    </Table.Td>
  );
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      {lacking.length > 0 && <Text>{t('lacks', { dimensions: format.list(lacking, { type: 'disjunction' }) })}</Text>}
      <Loaded query={query} rows={10}>
        {({ cohorts }) => {
          const rows = cohorts.filter(({ installs }) => installs > 0).toReversed();
          if (rows.length === 0) return <Text size="md">{t('empty')}</Text>;
          return (
            <>
              <Text size="xs">
                {t('over')} {t('scroll', { rows: rows.length, days: DAYS.length })}
              </Text>
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
                    <Table.Tr fw={600}>
                      <Table.Th scope="row">{t('mean')}</Table.Th>
                      <Table.Td ta="right">{format.number(sum(rows.map(({ installs }) => installs)))}</Table.Td>
                      {DAYS.map((after) => cell(after, meanOf(rows, after)))}
                    </Table.Tr>
                    {rows.map(({ day, installs, active }) => (
                      <Table.Tr key={day}>
                        <Table.Th scope="row">{nameOf(day)}</Table.Th>
                        <Table.Td ta="right">{format.number(installs)}</Table.Td>
                        {DAYS.map((after) => {
                          const count = active[after - 1] ?? null;
                          return cell(after, count === null ? null : count / installs);
                        })}
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

interface Cohort {
  installs: number;
  active: readonly (number | null)[];
}

const sum = (counts: readonly number[]): number => counts.reduce((whole, count) => whole + count, 0);

/** Returns the share of all devices that had this day. Null: no day of installs is so long ago. */
function meanOf(cohorts: readonly Cohort[], after: number): number | null {
  const over = cohorts.filter(({ active }) => (active[after - 1] ?? null) !== null);
  if (over.length === 0) return null;
  return sum(over.map(({ active }) => active[after - 1]!)) / sum(over.map(({ installs }) => installs));
}
