import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/index.ts';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { Loaded, Section } from '../page/page.tsx';

/** The name of a team, for its owners. */
export function TeamName({ teamId }: { teamId: string }) {
  const t = useTranslations('members');
  const query = api.useQuery('get', '/api/manage/teams/{teamId}', { params: { path: { teamId } } });
  return (
    <Section title={t('team')}>
      <Loaded query={query} rows={2}>
        {({ team }) => <NameForm key={team.version} teamId={teamId} name={team.name} version={team.version} />}
      </Loaded>
    </Section>
  );
}

function NameForm({ teamId, name, version }: { teamId: string; name: string; version: number }) {
  const t = useTranslations('members');
  const form = useCommandForm(t, {
    initialValues: { name },
    validate: { name: (value) => (value.trim() === '' ? t('nameMissing') : null) },
    send: ({ name }) =>
      client.PATCH('/api/manage/teams/{teamId}', {
        params: { path: { teamId }, header: { 'If-Match': `"${version}"` } },
        body: { name: name.trim() },
      }),
    onSuccess: () => notifications.show({ message: t('renamed') }),
  });
  return (
    <CommandForm form={form} submit={t('save')} noValidate inPage maw={420}>
      <TextInput required {...form.field('name')} />
    </CommandForm>
  );
}
