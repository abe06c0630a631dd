import type { App } from '@landfall/api-client';
import { Badge, Button, Group, Modal, NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, client } from '../../../api/client.ts';
import { showFaults } from '../../../parts/forms/form-faults.ts';
import { type Columns, DataTable, rowButton } from '../../../parts/page/data-table.tsx';
import { FailureAlert } from '../../../parts/page/failure-alert.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../parts/page/more.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { Ago, browserZone } from '../../../parts/time.tsx';

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
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/apps',
    { params: { query: { limit: 50, archived } } },
    cursorPages,
  );
  const { data: teams } = useQuery(api.queryOptions('get', '/api/manage/teams'));
  const [selected, setSelected] = useState<App | null>(null);
  const columns: Columns<App> = [
    {
      heading: t('app'),
      cell: ({ id, name, archivedAt }) => (
        <>
          <PageLink size="sm" to="/apps/$appId" params={{ appId: id }}>
            {name}
          </PageLink>{' '}
          {archivedAt !== null && <Badge color="gray.8">{t('archived')}</Badge>}
        </>
      ),
    },
    {
      heading: t('team'),
      cell: ({ teamId }) => teams?.teams.find(({ id }) => id === teamId)?.name ?? t('noTeam'),
    },
    { heading: t('plan'), cell: ({ plan }) => plan.name },
    {
      heading: t('limit'),
      ta: 'right',
      cell: ({ plan }) => (plan.linksPerMonth === null ? t('none') : format.number(plan.linksPerMonth)),
    },
    { heading: t('created'), cell: ({ createdAt }) => <Ago at={createdAt} timeZone={browserZone} /> },
    {
      heading: t('actions'),
      cell: (app) => (
        <Button {...rowButton} onClick={() => setSelected(app)} aria-label={t('setPlanNamed', { name: app.name })}>
          {t('setPlan')}
        </Button>
      ),
    },
  ];
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
        {({ pages }) => (
          <DataTable minWidth={680} rows={pages.flatMap(({ apps }) => apps)} rowKey="id" columns={columns} />
        )}
      </Loaded>
      <More query={query} />
      <Modal opened={selected !== null} onClose={() => setSelected(null)} title={t('setPlan')}>
        {selected && <PlanForm app={selected} onClose={() => setSelected(null)} />}
      </Modal>
    </Page>
  );
}

function PlanForm({ app, onClose }: { app: App; onClose: () => void }) {
  const t = useTranslations('instanceApps');
  const { queries } = Route.useRouteContext();
  const form = useForm({
    mode: 'controlled',
    initialValues: { name: app.plan.name, linksPerMonth: (app.plan.linksPerMonth ?? '') as number | '' },
  });
  const save = useMutation({
    mutationFn: ({ name, linksPerMonth }: typeof form.values) =>
      client.PUT('/api/manage/apps/{appId}/plan', {
        params: { path: { appId: app.id } },
        body: { name, linksPerMonth: linksPerMonth === '' ? null : linksPerMonth },
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['get', '/api/manage/apps'] });
      onClose();
    },
    onError: (error) => void showFaults(form, error),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack>
        <TextInput label={t('plan')} required data-autofocus {...form.getInputProps('name')} />
        <NumberInput
          label={t('limit')}
          description={t('limitHelp')}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('linksPerMonth')}
        />
        {save.isError && <FailureAlert error={save.error} />}
        <Button type="submit" loading={save.isPending}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  );
}
