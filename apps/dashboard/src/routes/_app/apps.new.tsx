import { Button, Group, Select, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { appsQuery } from '../../api/apps.ts';
import { api, client } from '../../api/client.ts';
import { hasCode } from '../../api/failure.ts';
import { meQuery, needPerson } from '../../api/session.ts';
import { AppFields, newAppOf } from '../../parts/forms/app-fields.tsx';
import { showFaults } from '../../parts/forms/form-faults.ts';
import { FailureAlert } from '../../parts/page/failure-alert.tsx';
import { Page } from '../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/apps/new')({
  beforeLoad: ({ context: { queries }, location }) => needPerson(queries, location.href),
  component: NewApp,
});

function NewApp() {
  const t = useTranslations('newApp');
  const navigate = useNavigate();
  const { queries } = Route.useRouteContext();
  const { teams } = useSuspenseQuery(meQuery()).data;
  const own = teams.filter(({ role }) => role === 'admin' || role === 'owner');
  const { data: setUp } = useQuery(api.queryOptions('get', '/api/manage/set-up'));
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({
    mode: 'controlled',
    initialValues: { teamId: own[0]?.id ?? '', name: '', subdomain: '', existingUsers: 'yes' },
  });
  const create = useMutation({
    mutationFn: (values: typeof form.values) =>
      client.POST('/api/manage/apps', { body: { teamId: values.teamId, ...newAppOf(values) } }),
    async onSuccess({ data }) {
      await queries.invalidateQueries(appsQuery());
      await navigate({ to: '/apps/$appId/start', params: { appId: data!.app.id } });
    },
    onError(error) {
      setFailure(null);
      if (hasCode(error, 'SUBDOMAIN_TAKEN', 'SUBDOMAIN_RESERVED')) form.setFieldError('subdomain', error.message);
      else if (!showFaults(form, error)) setFailure(error);
    },
  });
  return (
    <Page title={t('title')}>
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack maw={480}>
          {own.length > 1 && (
            <Select
              label={t('team')}
              allowDeselect={false}
              data={own.map(({ id, name }) => ({ value: id, label: name }))}
              {...form.getInputProps('teamId')}
            />
          )}
          <AppFields form={form} linkDomain={setUp?.linkDomain} />
          {failure !== null && <FailureAlert error={failure} />}
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t('submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
