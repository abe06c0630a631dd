import { Fieldset, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { createFileRoute, Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client, meQuery } from '../api/index.ts';
import { AppFields, newAppOf, OF_SUBDOMAIN } from '../parts/forms/app-fields.tsx';
import { CommandForm, useCommandForm } from '../parts/forms/form.tsx';
import { Health } from '../parts/health.tsx';
import { Loaded, OutsidePage } from '../parts/page/page.tsx';

export const Route = createFileRoute('/setup')({ component: SetUp });

function SetUp() {
  const t = useTranslations('setup');
  const query = api.useQuery('get', '/api/manage/set-up');
  return (
    <OutsidePage title={t('title')} intro={t('intro')}>
      <Loaded query={query}>
        {({ needed, publicUrl, linkDomain }) => (
          <>
            <Health publicUrl={publicUrl} />
            <SetUpForm needed={needed} linkDomain={linkDomain} />
          </>
        )}
      </Loaded>
    </OutsidePage>
  );
}

/** The first owner exists after the first step. If the second fails, or the page is loaded again, it goes on there. */
function SetUpForm({ needed, linkDomain }: { needed: boolean; linkDomain: string }) {
  const t = useTranslations('setup');
  const navigate = useNavigate();
  const { queries } = Route.useRouteContext();
  const [began] = useState(needed);
  const [owned, setOwned] = useState(false);
  const form = useCommandForm(t, {
    initialValues: {
      code: location.hash.slice(1),
      email: '',
      password: '',
      teamName: '',
      name: '',
      subdomain: '',
      existingUsers: 'yes',
    },
    validate: {
      code: (value) => (value.trim() === '' ? t('codeMissing') : null),
      email: (value) => (value.includes('@') ? null : t('emailMissing')),
      password: (value) => (value.length < 10 ? t('passwordShort') : null),
      teamName: (value) => (value.trim() === '' ? t('teamMissing') : null),
      name: (value) => (value.trim() === '' ? t('appMissing') : null),
      subdomain: (value) => (value.trim() === '' ? t('subdomainMissing') : null),
    },
    async send(values) {
      if (!owned) {
        const { code, email, password, teamName } = values;
        const name = email.split('@')[0]!;
        await client.POST('/api/manage/set-up', { body: { code: code.trim(), email, password, name, teamName } });
        setOwned(true);
      }
      const { teams } = await queries.fetchQuery(meQuery());
      const { data } = await client.POST('/api/manage/apps', { body: { teamId: teams[0]?.id, ...newAppOf(values) } });
      return data!.app;
    },
    fields: { ...OF_SUBDOMAIN, CODE_UNKNOWN: 'code', PASSWORD_TOO_SHORT: 'password', PASSWORD_COMMON: 'password' },
    sentences: { CODE_UNKNOWN: t('codeUnknown') },
    onSuccess: (app) => navigate({ to: '/apps/$appId/start', params: { appId: app.id } }),
  });
  // The address of a later start, opened in the same tab, changes only the fragment.
  const { setFieldValue } = form;
  useWindowEvent('hashchange', () => setFieldValue('code', location.hash.slice(1)));
  if (!began) return <Navigate to="/" />;
  return (
    <CommandForm form={form} submit={t('submit')} noValidate>
      <Fieldset legend={t('you')} disabled={owned}>
        <Stack gap="sm">
          {location.hash.length < 2 && <TextInput {...form.field('code')} />}
          {location.hash.length >= 2 && form.errors.code && (
            <Text c="red.9" role="alert">
              {form.errors.code}
            </Text>
          )}
          <TextInput type="email" autoComplete="username" required {...form.field('email')} />
          <PasswordInput autoComplete="new-password" required {...form.field('password')} />
          <TextInput autoComplete="organization" required {...form.field('teamName')} />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('app')}>
        <Stack gap="sm">
          <AppFields form={form} linkDomain={linkDomain} />
        </Stack>
      </Fieldset>
      {owned && form.command.isError && <Text fw={600}>{t('owned')}</Text>}
    </CommandForm>
  );
}
