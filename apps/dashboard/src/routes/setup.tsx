import { Badge, Button, Fieldset, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useWindowEvent } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client } from '../api/client.ts';
import { hasCode } from '../api/failure.ts';
import { meQuery } from '../api/session.ts';
import { AppFields, newAppOf } from '../parts/forms/app-fields.tsx';
import { showFaults } from '../parts/forms/form-faults.ts';
import { Health } from '../parts/health.tsx';
import { FailureAlert } from '../parts/page/failure-alert.tsx';
import { Loaded } from '../parts/page/loaded.tsx';
import { OutsidePage } from '../parts/page/outside-page.tsx';

export const Route = createFileRoute('/setup')({ component: SetUp });

function SetUp() {
  const t = useTranslations('setup');
  const query = useQuery(api.queryOptions('get', '/api/manage/set-up'));
  return (
    <OutsidePage title={t('title')} intro={t('intro')}>
      <Loaded query={query}>
        {({ needed, publicUrl, linkDomain }) => (
          <>
            <Health publicUrl={publicUrl} />
            <Steps needed={needed} linkDomain={linkDomain} />
          </>
        )}
      </Loaded>
    </OutsidePage>
  );
}

/** The first owner exists after the first step. If the second fails, or the page is loaded again, it goes on there. */
function Steps({ needed, linkDomain }: { needed: boolean; linkDomain: string }) {
  const [began] = useState(needed);
  if (!began) return <Navigate to="/" />;
  return <SetUpForm linkDomain={linkDomain} />;
}

function SetUpForm({ linkDomain }: { linkDomain: string }) {
  const t = useTranslations('setup');
  const navigate = useNavigate();
  const { queries } = Route.useRouteContext();
  const [owned, setOwned] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({
    mode: 'controlled',
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
  });
  // The address of a later start, opened in the same tab, changes only the fragment.
  const { setFieldValue } = form;
  useWindowEvent('hashchange', () => setFieldValue('code', location.hash.slice(1)));
  const finish = useMutation({
    async mutationFn(values: typeof form.values) {
      if (!owned) {
        const { code, email, password, teamName } = values;
        const name = email.split('@')[0]!;
        await client.POST('/api/manage/set-up', { body: { code: code.trim(), email, password, name, teamName } });
        setOwned(true);
      }
      const { teams } = await queries.fetchQuery(meQuery());
      const { data } = await client.POST('/api/manage/apps', {
        body: { teamId: teams[0]?.id, ...newAppOf(values) },
      });
      return data!.app;
    },
    onSuccess: (app) => navigate({ to: '/apps/$appId/start', params: { appId: app.id } }),
    onError(error) {
      setFailure(null);
      if (hasCode(error, 'SUBDOMAIN_TAKEN', 'SUBDOMAIN_RESERVED')) form.setFieldError('subdomain', error.message);
      else if (hasCode(error, 'CODE_UNKNOWN')) form.setFieldError('code', t('codeUnknown'));
      else if (hasCode(error, 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON')) form.setFieldError('password', error.message);
      else if (!showFaults(form, error)) setFailure(error);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => finish.mutate(values))} noValidate>
      <Stack>
        <Fieldset legend={t('you')} disabled={owned}>
          <Stack gap="sm">
            {location.hash.length < 2 && (
              <TextInput label={t('code')} description={t('codeHelp')} {...form.getInputProps('code')} />
            )}
            {location.hash.length >= 2 && form.errors.code && (
              <Text c="red.9" size="sm" role="alert">
                {form.errors.code}
              </Text>
            )}
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              required
              {...form.getInputProps('email')}
            />
            <PasswordInput
              label={t('password')}
              description={t('passwordHelp')}
              autoComplete="new-password"
              required
              {...form.getInputProps('password')}
            />
            <TextInput
              label={t('team')}
              description={t('teamHelp')}
              autoComplete="organization"
              required
              {...form.getInputProps('teamName')}
            />
          </Stack>
        </Fieldset>
        <Fieldset legend={t('app')}>
          <Stack gap="sm">
            <AppFields form={form} linkDomain={linkDomain} />
          </Stack>
        </Fieldset>
        {failure !== null && <FailureAlert error={failure} />}
        {owned && finish.isError && <Badge color="gray.8">{t('owned')}</Badge>}
        <Button type="submit" loading={finish.isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
