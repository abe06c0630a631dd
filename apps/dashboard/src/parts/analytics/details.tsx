import { Group, Progress, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../api/index.ts';
import { type Column, DataTable } from '../page/data-table.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { Breakdown, type BreakdownProps } from './breakdown.tsx';
import type { Range } from './view.ts';

export function Details(props: BreakdownProps) {
  const { range } = props;
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Breakdown {...props} />
        <Funnel range={range} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Referrals range={range} />
        <Cohorts range={range} />
      </SimpleGrid>
    </>
  );
}

/** From the click to the opening of the app, with the time from the click to each step. */
function Funnel({ range }: { range: Range }) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics/funnel', {
    params: { path: { appId }, query: range },
  });
  return (
    <Section title={t('funnel')}>
      <Text>{t('funnelText')}</Text>
      <Loaded query={query}>
        {({ groups }) => {
          const steps = groups[0]?.steps ?? [];
          const most = Math.max(1, ...steps.map(({ count }) => count ?? 0));
          return (
            <Stack gap="sm">
              {steps.map(({ step, count, sinceClick }) => (
                <div key={step}>
                  <Group justify="space-between" gap="xs">
                    <Text>{t(`steps.${step}`)}</Text>
                    <Text>
                      {count === null ? t('notSplit') : format.number(count)}
                      {sinceClick && ` · ${t('median', { time: durationOf(sinceClick.median) })}`}
                    </Text>
                  </Group>
                  <Progress value={(100 * (count ?? 0)) / most} aria-label={t(`steps.${step}`)} />
                </div>
              ))}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Says seconds in the largest unit that is not zero, such as 3 min. */
function durationOf(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
  return `${Math.round(seconds / length)} ${unit}`;
}

/** The results of each value of a label, such as an inviter or a campaign. */
function Referrals({ range }: { range: Range }) {
  const t = useTranslations('referrals');
  const { labels } = useApp();
  const [chosen, choose] = useState<string | null>(null);
  const label = chosen !== null && labels.includes(chosen) ? chosen : (labels[0] ?? null);
  return (
    <Section
      title={t('title')}
      actions={label !== null && <Select aria-label={t('label')} data={labels} value={label} onChange={choose} />}
    >
      {label === null ? <Text size="md">{t('noLabel')}</Text> : <Values range={range} label={label} />}
    </Section>
  );
}

function Values({ range, label }: { range: Range; label: string }) {
  const t = useTranslations('referrals');
  const format = useFormatter();
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics/referrals', {
    params: { path: { appId }, query: { from: range.from, to: range.to, label, limit: 20 } },
  });
  return (
    <Loaded query={query}>
      {({ referrals }) => (
        <DataTable
          t={t}
          verticalSpacing={4}
          minWidth={480}
          rows={referrals}
          rowKey="value"
          empty={t('empty')}
          columns={{
            label: {
              heading: label,
              cell: ({ value }) => <span style={{ overflowWrap: 'anywhere' }}>{value}</span>,
            },
            links: { ta: 'right', cell: ({ links }) => format.number(links) },
            tapped: { ta: 'right', cell: ({ tappedLinks }) => format.number(tappedLinks) },
            clicks: { ta: 'right', cell: ({ clicks }) => format.number(clicks) },
            installs: { ta: 'right', cell: ({ installs }) => format.number(installs) },
          }}
        />
      )}
    </Loaded>
  );
}

/** Days after the install that are shown. The list of the API begins with day 1. */
const SHOWN = [1, 2, 3, 7, 14, 30] as const;

/** How many of the devices of each day came back later. */
function Cohorts({ range }: { range: Range }) {
  const t = useTranslations('cohorts');
  const format = useFormatter();
  const { id: appId } = useApp();
  const nameOf = (day: string) => format.dateTime(new Date(day), { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics/cohorts', {
    params: { path: { appId }, query: { from: range.from, to: range.to } },
  });
  const after = (day: number): Column<{ installs: number; active: (number | null)[] }> => ({
    heading: t('after', { day }),
    ta: 'right',
    style: { whiteSpace: 'nowrap' },
    cell({ installs, active }) {
      const count = active[day - 1] ?? null;
      return count === null ? '–' : format.number(count / installs, { style: 'percent' });
    },
  });
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <Loaded query={query}>
        {({ cohorts }) => (
          <DataTable
            t={t}
            stickyHeader
            verticalSpacing={4}
            horizontalSpacing={6}
            minWidth={440}
            mah={420}
            rows={cohorts.filter(({ installs }) => installs > 0)}
            rowKey="day"
            empty={t('empty')}
            columns={{
              day: { style: { whiteSpace: 'nowrap' }, cell: ({ day }) => nameOf(day) },
              installs: { ta: 'right', cell: ({ installs }) => format.number(installs) },
              ...Object.fromEntries(SHOWN.map((day) => [`after ${day}`, after(day)])),
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}
