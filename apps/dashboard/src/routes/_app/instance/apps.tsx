import type { App } from '@landfall/api-client';
import { Badge, Button, Group, Modal, NumberInput, SegmentedControl, Stack, Table, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, client } from '../../../api/client.ts';
import { showFaults } from '../../../parts/forms/form-faults.ts';
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
  const [planned, setPlanned] = useState<App | null>(null);
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
          <Table.ScrollContainer minWidth={680}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('app')}</Table.Th>
                  <Table.Th>{t('team')}</Table.Th>
                  <Table.Th>{t('plan')}</Table.Th>
                  <Table.Th ta="right">{t('limit')}</Table.Th>
                  <Table.Th>{t('created')}</Table.Th>
                  <Table.Th>{t('actions')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {pages
                  .flatMap((page) => page.apps)
                  .map((app) => (
                    <Table.Tr key={app.id}>
                      <Table.Td>
                        <PageLink size="sm" to="/apps/$appId" params={{ appId: app.id }}>
                          {app.name}
                        </PageLink>{' '}
                        {app.archivedAt !== null && <Badge color="gray.8">{t('archived')}</Badge>}
                      </Table.Td>
                      <Table.Td>{teams?.teams.find(({ id }) => id === app.teamId)?.name ?? t('noTeam')}</Table.Td>
                      <Table.Td>{app.plan.name}</Table.Td>
                      <Table.Td ta="right">
                        {app.plan.linksPerMonth === null ? t('none') : format.number(app.plan.linksPerMonth)}
                      </Table.Td>
                      <Table.Td>
                        <Ago at={app.createdAt} timeZone={browserZone} />
                      </Table.Td>
                      <Table.Td>
                        <Button
                          size="compact-sm"
                          variant="default"
                          onClick={() => setPlanned(app)}
                          aria-label={t('setPlanNamed', { name: app.name })}
                        >
                          {t('setPlan')}
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
      <More query={query} />
      <Modal opened={planned !== null} onClose={() => setPlanned(null)} title={t('setPlan')}>
        {planned && <PlanForm app={planned} onClose={() => setPlanned(null)} />}
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
