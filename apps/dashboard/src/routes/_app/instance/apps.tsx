import type { App } from '@landfall/api-client';
import { Badge, Group, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { api, client } from '../../../api/index.ts';
import { CommandForm, useCommandForm } from '../../../parts/forms/form.tsx';
import { rowButton, WindowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';
import { Ago } from '../../../parts/time.tsx';

const ARCHIVED = ['false', 'true', 'all'] as const;
type Archived = (typeof ARCHIVED)[number];

export const Route = createFileRoute('/_app/instance/apps')({
  validateSearch: ({ archived }: Record<string, unknown>): { archived?: Archived } =>
    ARCHIVED.includes(archived as Archived) ? { archived: archived as Archived } : {},
  component: Apps,
});

function Apps() {
  const t = useTranslations('instanceApps');
  const format = useFormatter();
  const { archived = 'false' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const params = { query: { limit: 50, archived } };
  const query = api.useInfiniteQuery('get', '/api/manage/apps', { params }, cursorPages);
  const { data: teams } = api.useQuery('get', '/api/manage/teams');
  return (
    <Page title={t('title')}>
      <Group>
        <SegmentedControl
          aria-label={t('state')}
          data={ARCHIVED.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={archived}
          onChange={(value) => void navigate({ search: { archived: value as Archived }, replace: true })}
        />
      </Group>
      <Loaded query={query} rows={8}>
        {({ apps }) => (
          <DataTable
            t={t}
            minWidth={680}
            rows={apps}
            columns={{
              app: ({ id, name, archivedAt }) => (
                <>
                  <PageLink size="sm" to="/apps/$appId" params={{ appId: id }}>
                    {name}
                  </PageLink>{' '}
                  {archivedAt !== null && <Badge color="gray.8">{t('archived')}</Badge>}
                </>
              ),
              team: ({ teamId }) => teams?.teams.find(({ id }) => id === teamId)?.name ?? t('noTeam'),
              plan: ({ plan }) => plan.name,
              limit: {
                ta: 'right',
                cell: ({ plan }) => (plan.linksPerMonth === null ? t('none') : format.number(plan.linksPerMonth)),
              },
              created: ({ createdAt }) => <Ago at={createdAt} />,
              actions: (app) => (
                <WindowButton {...rowButton} title={t('setPlan')} aria-label={t('setPlanNamed', { name: app.name })}>
                  {(close) => <PlanForm app={app} onClose={close} />}
                </WindowButton>
              ),
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}

function PlanForm({ app: { id: appId, plan }, onClose }: { app: App; onClose: () => void }) {
  const t = useTranslations('instanceApps');
  const form = useCommandForm(t, {
    initialValues: { plan: plan.name, limit: (plan.linksPerMonth ?? '') as number | '' },
    send: ({ plan, limit }) =>
      client.PUT('/api/manage/apps/{appId}/plan', {
        params: { path: { appId } },
        body: { name: plan, linksPerMonth: limit === '' ? null : limit },
      }),
    fields: { name: 'plan', linksPerMonth: 'limit' },
    onSuccess: onClose,
  });
  return (
    <CommandForm form={form} submit={t('save')}>
      <TextInput required data-autofocus {...form.field('plan')} />
      <NumberInput min={0} allowDecimal={false} {...form.field('limit')} />
    </CommandForm>
  );
}
