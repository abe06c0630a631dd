import type { Session } from '@landfall/api-client';
import { Alert, Badge, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/client.ts';
import { hasCode } from '../../api/failure.ts';
import { meQuery, needPerson } from '../../api/session.ts';
import { Tokens } from '../../parts/account/tokens.tsx';
import { showFaults } from '../../parts/forms/form-faults.ts';
import { type Columns, DataTable, rowButton } from '../../parts/page/data-table.tsx';
import { FailureAlert } from '../../parts/page/failure-alert.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { Page } from '../../parts/page/page.tsx';
import { Section } from '../../parts/page/section.tsx';
import { useFailureToast } from '../../parts/page/use-failure-toast.ts';
import { Ago, browserZone } from '../../parts/time.tsx';

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
  const { queries } = Route.useRouteContext();
  const { person } = useSuspenseQuery(meQuery()).data;
  const form = useForm({ mode: 'controlled', initialValues: { name: person?.name ?? '' } });
  const rename = useMutation({
    mutationFn: (body: typeof form.values) => client.PATCH('/api/manage/me', { body }),
    async onSuccess() {
      await queries.invalidateQueries(meQuery());
      notifications.show({ message: t('saved') });
    },
    onError: (error) => void showFaults(form, error),
  });
  return (
    <Section title={t('you')} maw={640}>
      <form onSubmit={form.onSubmit((values) => rename.mutate(values))}>
        <Stack gap="sm">
          <Text size="sm">{t('email', { email: person?.email ?? '' })}</Text>
          <TextInput label={t('name')} required autoComplete="name" {...form.getInputProps('name')} />
          {rename.isError && <FailureAlert error={rename.error} />}
          <Group>
            <Button type="submit" loading={rename.isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Password() {
  const t = useTranslations('account');
  const form = useForm({
    mode: 'controlled',
    initialValues: { current: '', next: '' },
    validate: { next: (value) => (value.length < 10 ? t('passwordShort') : null) },
  });
  const { queries } = Route.useRouteContext();
  const change = useMutation({
    mutationFn: (body: typeof form.values) => client.POST('/api/manage/me/password', { body }),
    async onSuccess() {
      form.reset();
      notifications.show({ message: t('passwordChanged') });
      await queries.invalidateQueries(sessionsQuery());
    },
    onError(error) {
      if (hasCode(error, 'WRONG_CREDENTIALS')) form.setFieldError('current', t('wrong'));
      else if (hasCode(error, 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON'))
        form.setFieldError('next', (error as Error).message);
    },
  });
  const isShown = Object.keys(form.errors).length > 0;
  return (
    <Section title={t('password')} maw={640}>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))} noValidate>
        <Stack gap="sm">
          <PasswordInput
            label={t('current')}
            autoComplete="current-password"
            required
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label={t('next')}
            description={t('nextHelp')}
            autoComplete="new-password"
            required
            {...form.getInputProps('next')}
          />
          {change.isError && !isShown && <FailureAlert error={change.error} />}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

const sessionsQuery = () => api.queryOptions('get', '/api/manage/me/sessions');

function Sessions() {
  const t = useTranslations('account');
  const { queries } = Route.useRouteContext();
  const tell = useFailureToast();
  const query = useQuery(sessionsQuery());
  const renew = () => queries.invalidateQueries(sessionsQuery());
  const end = useMutation({
    mutationFn: (sessionId: string) =>
      client.DELETE('/api/manage/me/sessions/{sessionId}', { params: { path: { sessionId } } }),
    onSuccess: renew,
    onError: tell,
  });
  const endOthers = useMutation({
    mutationFn: () => client.DELETE('/api/manage/me/sessions'),
    onSuccess: renew,
    onError: tell,
  });
  const columns: Columns<Session> = [
    {
      heading: t('browser'),
      cell: ({ userAgent, current }) => (
        <>
          {userAgent} {current && <Badge color="teal.9">{t('this')}</Badge>}
        </>
      ),
    },
    { heading: t('lastUsed'), cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} timeZone={browserZone} /> },
    { heading: t('began'), cell: ({ createdAt }) => <Ago at={createdAt} timeZone={browserZone} /> },
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
