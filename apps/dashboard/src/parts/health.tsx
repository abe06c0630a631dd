import { Group, List, Skeleton, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Ago } from './time.tsx';

/** Seconds by which the clocks of the browser and of Landfall may differ. */
const MOST_SKEW_SECONDS = 30;

/** Pixels of the list when all is well: five lines, and the time. */
const HEIGHT = 150;

type Name = 'database' | 'bus' | 'limits' | 'clock' | 'url';

export function Health({ publicUrl }: { publicUrl: string }) {
  const t = useTranslations('health');
  const { data, dataUpdatedAt } = useQuery({ queryKey: ['readyz'], queryFn: readyz, refetchInterval: 3_000 });
  if (!data) return <Skeleton height={HEIGHT} />;
  const findings: { name: Name; ok: boolean; detail: string; warning?: string }[] = [
    ...(['database', 'bus', 'limits'] as const).map((name) => ({
      name,
      ok: data.checks[name]?.ok ?? false,
      detail: data.checks[name]?.detail ?? '',
    })),
    {
      name: 'clock' as const,
      ok: Math.abs(data.skewSeconds) <= MOST_SKEW_SECONDS,
      detail: t('skew', { seconds: Math.abs(data.skewSeconds) }),
    },
    {
      name: 'url' as const,
      ok: publicUrl === location.origin,
      detail: t('urlWrong', { publicUrl, origin: location.origin }),
      // The same as the checks of an app say.
      ...(!publicUrl.startsWith('https:') && { warning: t('urlHttp') }),
    },
  ];
  return (
    <>
      <List spacing={4} size="sm" center aria-label={t('label')}>
        {findings.map(({ name, ok, detail, warning }) => (
          <List.Item
            key={name}
            icon={
              <ThemeIcon size={18} radius="xl" color={!ok ? 'red.9' : warning ? 'yellow.4' : 'teal.9'}>
                {ok && !warning ? <Check size={12} aria-hidden /> : <TriangleAlert size={12} aria-hidden />}
              </ThemeIcon>
            }
          >
            <Group gap={6} wrap="nowrap" align="flex-start">
              <Text>{t(name)}</Text>
              <Text c={ok ? undefined : 'red.9'}>{ok ? warning || t('ok') : detail || t('notOk')}</Text>
            </Group>
          </List.Item>
        ))}
      </List>
      <Text component="div" c="dimmed">
        {t('checked')} <Ago at={new Date(dataUpdatedAt).toISOString()} />
      </Text>
    </>
  );
}

async function readyz() {
  const sent = Date.now();
  const response = await fetch('/readyz');
  const { checks } = (await response.json()) as { checks: Record<string, { ok: boolean; detail?: string }> };
  const theirs = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds.
  const skewSeconds = Number.isNaN(theirs) ? 0 : Math.round((theirs + 500 - (sent + Date.now()) / 2) / 1000);
  return { checks, skewSeconds };
}
