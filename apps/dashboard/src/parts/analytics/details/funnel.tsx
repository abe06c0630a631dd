import { Group, Progress, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { Loaded, Section } from '../../page/page.tsx';
import { RATE } from '../../rate.ts';
import { ListThem } from '../list-them.tsx';
import { durationOf } from '../measures.ts';
import { useNames } from '../names.ts';
import { rowsOf } from '../rows.ts';
import { type Asked, filterOf, has, type View } from '../view.ts';

/** Follows the taps of the days to the devices that they led to. Each step is a part of the one before. */
export function Funnel({ asked, view }: { asked: Asked; view: View }) {
  const t = useTranslations('analytics');
  const names = useNames();
  const lacking = asked.filter.map((one) => filterOf(one)!).find(({ dimension }) => !has('clicks', dimension));
  return (
    <Section title={t('funnel')}>
      <Text>{t('funnelText')}</Text>
      {lacking ? (
        <Text size="md">{t('funnelLacks', { dimension: names.of(lacking.dimension) })}</Text>
      ) : (
        <Steps asked={asked} view={view} />
      )}
    </Section>
  );
}

function Steps({ asked, view }: { asked: Asked; view: View }) {
  const t = useTranslations('analytics');
  const format = useFormatter();
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/analytics/funnel', {
    params: { path: { appId }, query: asked },
  });
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : format.number(part / whole, RATE));
  return (
    <Loaded query={query} rows={8}>
      {({ groups }) => {
        const steps = (groups[0]?.steps ?? []).map(({ step, count, sinceClick }) => ({
          step: step as 'clicks' | 'restores' | 'installs' | 'opens',
          count: count ?? 0,
          sinceClick,
        }));
        const first = steps[0]?.count ?? 0;
        return (
          <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
            {steps.map(({ step, count, sinceClick }, place) => (
              <li key={step}>
                <Group justify="space-between" gap="xs" wrap="nowrap">
                  <Text fw={600}>{t(`steps.${step}.name`)}</Text>
                  <Text style={{ whiteSpace: 'nowrap' }}>
                    {format.number(count)}
                    {place > 0 && ` · ${t('ofStep', { percent: percent(count, steps[place - 1]!.count) })}`}
                  </Text>
                </Group>
                <Progress value={first === 0 ? 0 : (100 * count) / first} aria-label={t(`steps.${step}.name`)} />
                <Text size="xs">
                  {t(`steps.${step}.text`)}
                  {sinceClick && ` ${t('median', { time: durationOf(sinceClick.median) })}`}{' '}
                  <ListThem
                    underline="always"
                    of={t(`steps.${step}.name`)}
                    rows={rowsOf(view, step === 'clicks' ? step : `funnel.${step}`)}
                  />
                </Text>
              </li>
            ))}
            <Text component="li">{t('wholeWay', { percent: percent(steps.at(-1)?.count ?? 0, first) })}</Text>
          </Stack>
        );
      }}
    </Loaded>
  );
}
