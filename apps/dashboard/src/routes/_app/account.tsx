import type { Session } from '@landfall/api-client';
import { Alert, Badge, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/client.ts';
import { meQuery, needPerson } from '../../api/session.ts';
import { Tokens } from '../../parts/account/tokens.tsx';
import { CommandForm, fieldsOf, useFormCommand } from '../../parts/forms/form.tsx';
import { rowButton } from '../../parts/page/buttons.tsx';
import { type Columns, DataTable } from '../../parts/page/data-table.tsx';
import { Loaded, Page, Section } from '../../parts/page/page.tsx';
import { useCommand } from '../../parts/page/use-command.ts';
import { Ago } from '../../parts/time.tsx';

export const Route = createFileRoute('/_app/account')({
  beforeLoad: ({ context: { queries }, location }) => needPerson(queries, location.href),
  component: Account,
});

function Account() {
  const t = useTranslations('account');
  return (
    <Page title={t('title')}>
      <Name />
      <Password />
      <Sessions />
      <Tokens />
    </Page>
  );
}

function Name() {
  const t = useTranslations('account');
  const { person } = useSuspenseQuery(meQuery()).data;
  const form = useForm({ initialValues: { name: person?.name ?? '' } });
  const rename = useFormCommand(form, {
    mutationFn: (body) => client.PATCH('/api/manage/me', { body }),
    onSuccess: () => void notifications.show({ message: t('saved') }),
  });
  return (
    <Section title={t('you')} maw={640}>
      <CommandForm form={form} command={rename} submit={t('save')} inPage>
        <Text size="sm">{t('email', { email: person?.email ?? '' })}</Text>
        <TextInput label={t('name')} required autoComplete="name" {...form.getInputProps('name')} />
      </CommandForm>
    </Section>
  );
}

function Password() {
  const t = useTranslations('account');
  const form = useForm({
    initialValues: { current: '', next: '' },
    validate: { next: (value) => (value.length < 10 ? t('passwordShort') : null) },
  });
  const field = fieldsOf(form, t);
  const change = useFormCommand(form, {
    mutationFn: (body) => client.POST('/api/manage/me/password', { body }),
    fields: { WRONG_CREDENTIALS: 'current', PASSWORD_TOO_SHORT: 'next', PASSWORD_COMMON: 'next' },
    sentences: { WRONG_CREDENTIALS: t('wrong') },
    onSuccess() {
      form.reset();
      notifications.show({ message: t('passwordChanged') });
    },
  });
  return (
    <Section title={t('password')} maw={640}>
      <CommandForm form={form} command={change} submit={t('changePassword')} noValidate inPage>
        <PasswordInput autoComplete="current-password" required {...field('current')} />
        <PasswordInput autoComplete="new-password" required {...field('next')} />
      </CommandForm>
    </Section>
  );
}

function Sessions() {
  const t = useTranslations('account');
  const query = api.useQuery('get', '/api/manage/me/sessions');
  const end = useCommand((sessionId: string) =>
    client.DELETE('/api/manage/me/sessions/{sessionId}', { params: { path: { sessionId } } }),
  );
  const endOthers = useCommand(() => client.DELETE('/api/manage/me/sessions'));
  const columns: Columns<Session> = [
    {
      heading: t('browser'),
      cell: ({ userAgent, current }) => (
        <>
          {userAgent} {current && <Badge color="teal.9">{t('this')}</Badge>}
        </>
      ),
    },
    { heading: t('lastUsed'), cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
    { heading: t('began'), cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      heading: t('actions'),
      cell: ({ id, userAgent, current }) =>
        !current && (
          <Button {...rowButton} onClick={() => end.mutate(id)} aria-label={t('endNamed', { browser: userAgent })}>
            {t('end')}
          </Button>
        ),
    },
  ];
  return (
    <Section
      title={t('sessions')}
      actions={
        <Button size="compact-sm" variant="default" onClick={() => endOthers.mutate()} loading={endOthers.isPending}>
          {t('endOthers')}
        </Button>
      }
    >
      <Loaded query={query} rows={2}>
        {({ sessions }) => <DataTable minWidth={520} rows={sessions} rowKey="id" columns={columns} />}
      </Loaded>
      <Alert>{t('sessionsText')}</Alert>
    </Section>
  );
}
