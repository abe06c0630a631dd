import { Button, Group, List, Progress, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, type Role, useApp, useMay } from '../../../api/index.ts';
import { Figure, figuresOf } from '../../../parts/analytics/figures.tsx';
import { ListThem } from '../../../parts/analytics/list-them.tsx';
import { Lines } from '../../../parts/lines.tsx';
import { NewLinkButton } from '../../../parts/links/new-link-button.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { Page, Section, Waiting } from '../../../parts/page/page.tsx';
import { STEPS, type StepName, type Steps, useSteps } from '../../../parts/start/steps.ts';

export const Route = createFileRoute('/_app/apps/$appId/')({ component: Home });

// The parts below the chart are loaded after it.
const Top = lazyRouteComponent(() => import('../../../parts/analytics/cards/top.tsx'), 'Top');
const Latest = lazyRouteComponent(() => import('../../../parts/live/live-list.tsx'), 'Latest');
const METRICS = ['clicks', 'attributedInstalls', 'restores', 'opens'] as const;

function Home() {
  const t = useTranslations('home');
  const metrics = useTranslations('analytics.metrics');
  const { id: appId, name } = useApp();
  const steps = useSteps(appId);
  const mayCreate = useMay('member');
  // The list of steps is above everything else: what stands below must not move when it arrives.
  if (steps === 'loading')
    return (
      <Page title={t('title', { name })}>
        <Waiting rows={12} />
      </Page>
    );
  return (
    <Page title={t('title', { name })} actions={mayCreate && <NewLinkButton />}>
      {steps && <Checklist appId={appId} steps={steps} />}
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {METRICS.map((metric) => (
          <Figure
            key={metric}
            mih={128}
            name={metrics(metric)}
            of={figuresOf(appId, metric)}
            rows={
              <Group gap="sm">
                <PageLink
                  size="xs"
                  to="/apps/$appId/analytics"
                  params={{ appId }}
                  search={{ metric }}
                  aria-label={t('chartOf', { figure: metrics(metric) })}
                >
                  {t('chartLink')}
                </PageLink>
                <ListThem of={metrics(metric)} rows={{ figure: metric }} />
              </Group>
            }
          />
        ))}
      </SimpleGrid>
      <Clicks appId={appId} />
      <Suspense fallback={<Waiting rows={8} />}>
        <Top appId={appId}>
          <Latest appId={appId} />
        </Top>
      </Suspense>
      <Quota appId={appId} />
    </Page>
  );
}

function Clicks({ appId }: { appId: string }) {
  const t = useTranslations('home');
  const metrics = useTranslations('analytics.metrics');
  const { data } = useQuery(figuresOf(appId, 'clicks'));
  const label = t('chartLabel', { total: data?.total ?? 0 });
  return (
    <Section title={t('chart')} actions={data && <Text size="xs">{t('zone', { timeZone: data.timeZone })}</Text>}>
      <Lines figures={data} name={metrics('clicks')} label={label} before={t('previous')} />
    </Section>
  );
}

/** Where each step is done. */
const PLACES = {
  link: 'start',
  tap: 'start',
  restore: 'start',
  key: 'start',
  app: 'set-up',
} as const satisfies Record<StepName, string>;

/** The steps that not everybody may do. */
const NEEDS = { link: 'member', key: 'admin', app: 'admin' } as const satisfies Partial<Record<StepName, Role>>;

/** A list until the first step is done, then a line with what is left, until the person hides it or all are done. */
function Checklist({ appId, steps }: { appId: string; steps: Steps }) {
  const t = useTranslations('home');
  const names = useTranslations('start.steps');
  const [hidden, setHidden] = useLocalStorage({
    key: `landfall-steps-hidden-${appId}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const may = { member: useMay('member'), admin: useMay('admin') };
  const own = STEPS.filter((name) => !(name in NEEDS) || may[NEEDS[name as keyof typeof NEEDS]]);
  const left = own.filter((name) => !steps[name]);
  if (left.length === 0 || hidden) return null;
  if (left.length < own.length)
    return (
      <Group component="section" aria-label={t('checklist')} gap="xs">
        <Text>{t('left', { left: left.length, all: own.length })}</Text>
        {left.map((name) => (
          <PageLink key={name} size="sm" to={`/apps/$appId/${PLACES[name]}`} params={{ appId }}>
            {names(name)}
          </PageLink>
        ))}
        <Button size="compact-xs" variant="default" onClick={() => setHidden(true)} aria-label={t('hideSteps')}>
          {t('hide')}
        </Button>
      </Group>
    );
  return (
    <Section title={t('checklist')}>
      <List spacing={6} center>
        {own.map((name) => (
          <List.Item
            key={name}
            icon={
              <ThemeIcon size={20} radius="xl" color="gray.8">
                <span aria-hidden>·</span>
              </ThemeIcon>
            }
          >
            <PageLink size="sm" to={`/apps/$appId/${PLACES[name]}`} params={{ appId }}>
              {names(name)}
            </PageLink>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function Quota({ appId }: { appId: string }) {
  const t = useTranslations('home');
  const format = useFormatter();
  const { data } = api.useQuery('get', '/api/manage/apps/{appId}/usage', { params: { path: { appId } } });
  if (!data || data.limit === null) return null;
  const label = t('quota', { used: format.number(data.linksCreated), limit: format.number(data.limit) });
  return (
    <Stack gap={4}>
      <Text>{label}</Text>
      <Progress value={Math.min(100, (100 * data.linksCreated) / data.limit)} aria-label={label} />
    </Stack>
  );
}
