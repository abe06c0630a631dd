import { Select, Text } from '@mantine/core';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client, needPerson, useMe } from '../../api/index.ts';
import { AppFields, newAppOf, OF_SUBDOMAIN } from '../../parts/forms/app-fields.tsx';
import { CommandForm, useCommandForm } from '../../parts/forms/form.tsx';
import { Page } from '../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/apps/new')({
  beforeLoad: ({ context: { queries }, location }) => needPerson(queries, location.href),
  component: NewApp,
});

function NewApp() {
  const t = useTranslations('newApp');
  const navigate = useNavigate();
  const { teams } = useMe();
  const own = teams.filter(({ role }) => role === 'admin' || role === 'owner');
  const { data: setUp } = api.useQuery('get', '/api/manage/set-up');
  const form = useCommandForm(t, {
    initialValues: { teamId: own[0]?.id ?? '', name: '', subdomain: '', existingUsers: 'yes' },
    send: (values) => client.POST('/api/manage/apps', { body: { teamId: values.teamId, ...newAppOf(values) } }),
    fields: OF_SUBDOMAIN,
    onSuccess: ({ data }) => navigate({ to: '/apps/$appId/start', params: { appId: data!.app.id } }),
  });
  return (
    <Page title={t('title')}>
      <Text size="md" maw={640}>
        {own.length > 0 ? t('intro') : t('noTeam')}
      </Text>
      {own.length > 0 && (
        <CommandForm form={form} submit={t('submit')} maw={480} inPage>
          {own.length > 1 && (
            <Select data={own.map(({ id, name }) => ({ value: id, label: name }))} {...form.field('teamId')} />
          )}
          <AppFields form={form} linkDomain={setUp?.linkDomain} />
        </CommandForm>
      )}
    </Page>
  );
}
