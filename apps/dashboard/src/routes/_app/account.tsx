import { Alert, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client, needPerson, useMe } from '../../api/index.ts';
import { SecondFactor } from '../../parts/account/second-factor.tsx';
import { Tokens } from '../../parts/account/tokens.tsx';
import { CommandForm, useCommandForm } from '../../parts/forms/form.tsx';
import { rowButton } from '../../parts/page/buttons.tsx';
import { DataTable } from '../../parts/page/data-table.tsx';
import { Loaded, Page, Section } from '../../parts/page/page.tsx';
import { useCommand } from '../../parts/page/use-command.ts';
import { When } from '../../parts/time.tsx';

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
      <SecondFactor />
      <Sessions />
      <Tokens />
    </Page>
  );
}

function Name() {
  const t = useTranslations('account');
  const { person } = useMe();
  const form = useCommandForm(t, {
    initialValues: { name: person?.name ?? '' },
    send: (body) => client.PATCH('/api/manage/me', { body }),
    onSuccess: () => void notifications.show({ message: t('saved') }),
  });
  return (
    <Section title={t('you')}>
      <CommandForm form={form} submit={t('save')} inPage>
        <Text>{t('email', { email: person?.email ?? '' })}</Text>
        <TextInput required autoComplete="name" {...form.field('name')} />
      </CommandForm>
    </Section>
  );
}

function Password() {
  const t = useTranslations('account');
  const form = useCommandForm(t, {
    initialValues: { current: '', next: '' },
    validate: { next: (value) => (value.length < 10 ? t('passwordShort') : null) },
    send: (body) => client.POST('/api/manage/me/password', { body }),
    fields: { WRONG_CREDENTIALS: 'current', PASSWORD_TOO_SHORT: 'next', PASSWORD_COMMON: 'next' },
    sentences: { WRONG_CREDENTIALS: t('wrong') },
    onSuccess(_, form) {
      form.reset();
      notifications.show({ message: t('passwordChanged') });
    },
  });
  return (
    <Section title={t('password')}>
      <CommandForm form={form} submit={t('changePassword')} noValidate inPage>
        <PasswordInput autoComplete="current-password" required {...form.field('current')} />
        <PasswordInput autoComplete="new-password" required {...form.field('next')} />
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
  return (
    <Section
      title={t('sessions')}
      actions={
        <Button size="compact-sm" variant="default" onClick={() => endOthers.mutate()} loading={endOthers.isPending}>
          {t('endOthers')}
        </Button>
      }
    >
      <Alert>{t('sessionsText')}</Alert>
      <Loaded query={query} rows={2}>
        {({ sessions }) => (
          <DataTable
            t={t}
            minWidth={520}
            rows={sessions}
            columns={{
              browser: ({ userAgent, current }) => (
                <>
                  {userAgent} {current && <b>({t('this')})</b>}
                </>
              ),
              lastUsed: ({ lastSeenAt }) => <When at={lastSeenAt} />,
              began: ({ createdAt }) => <When at={createdAt} />,
              actions: ({ id, userAgent: browser, current }) =>
                !current && (
                  <Button {...rowButton} onClick={() => end.mutate(id)} aria-label={t('endNamed', { browser })}>
                    {t('end')}
                  </Button>
                ),
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}
