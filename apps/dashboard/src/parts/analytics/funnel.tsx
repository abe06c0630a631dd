import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import type { Range } from './view.ts';

/** From the click to the opening of the app, with the time from the click to each step. */
export function Funnel({ appId, range }: { appId: string; range: Range }) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const query = useQuery(
    api.queryOptions('get', '/api/manage/apps/{appId}/analytics/funnel', { params: { path: { appId }, query: range } }),
  );
  return (
    <Section title={t('funnel')}>
      <Text size="sm">{t('funnelText')}</Text>
      <Loaded query={query}>
        {({ groups }) => {
          const steps = groups[0]?.steps ?? [];
          const most = Math.max(1, ...steps.map(({ count }) => count ?? 0));
          return (
            <Stack gap="sm">
              {steps.map(({ step, count, sinceClick }) => (
                <div key={step}>
                  <Group justify="space-between" gap="xs">
                    <Text size="sm">{t(`steps.${step}`)}</Text>
                    <Text size="sm">
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
