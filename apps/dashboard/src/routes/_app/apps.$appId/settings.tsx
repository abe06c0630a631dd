import type { App } from '@landfall/api-client';
import { Autocomplete, Button, Fieldset, Group, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { appQuery, appsQuery, useApp } from '../../../api/apps.ts';
import { client } from '../../../api/client.ts';
import { hasCode } from '../../../api/failure.ts';
import { showFaults } from '../../../parts/forms/form-faults.ts';
import { FailureAlert } from '../../../parts/page/failure-alert.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { useMay } from '../../../parts/roles.ts';
import { BrandingSettings } from '../../../parts/settings/branding.tsx';
import { DangerZone } from '../../../parts/settings/danger-zone.tsx';
import { IdentitySettings } from '../../../parts/settings/identity.tsx';
import { Plan } from '../../../parts/settings/plan.tsx';

export const Route = createFileRoute('/_app/apps/$appId/settings')({ component: Settings });

const valuesOf = ({
  name,
  subdomain,
  timeZone,
  webFallbackUrl,
  matching,
  publicTry,
  clipboard,
  ios,
  android,
  ...lists
}: App) => ({
  name,
  subdomain,
  timeZone,
  webFallbackUrl: webFallbackUrl ?? '',
  labels: lists.labels,
  publishedParameters: lists.publishedParameters,
  existingUsers: matching.existingUsers,
  publicTry,
  clipboard,
  bundleId: ios.bundleId ?? '',
  teamId: ios.teamId ?? '',
  storeId: ios.storeId ?? '',
  appClipBundleId: ios.appClipBundleId ?? '',
  package: android.package ?? '',
  certificates: android.certificates,
});
type Values = ReturnType<typeof valuesOf>;

/** The API names fields by their place. */
const NAMES = {
  'ios.bundleId': 'bundleId',
  'ios.teamId': 'teamId',
  'ios.storeId': 'storeId',
  'ios.appClipBundleId': 'appClipBundleId',
  'android.package': 'package',
  'android.certificates': 'certificates',
} as const;

const orNull = (text: string): string | null => text.trim() || null;

const changeOf = (values: Values) => ({
  name: values.name,
  subdomain: values.subdomain,
  timeZone: values.timeZone,
  webFallbackUrl: orNull(values.webFallbackUrl),
  labels: values.labels,
  publishedParameters: values.publishedParameters,
  matching: { existingUsers: values.existingUsers },
  publicTry: values.publicTry,
  clipboard: values.clipboard,
  ios: {
    bundleId: orNull(values.bundleId),
    teamId: orNull(values.teamId),
    storeId: orNull(values.storeId),
    appClipBundleId: orNull(values.appClipBundleId),
  },
  android: { package: orNull(values.package), certificates: values.certificates },
});

function Settings() {
  const t = useTranslations('settings');
  const { appId } = Route.useParams();
  const app = useApp(appId);
  const mayChange = useMay(appId, 'admin');
  // Another app, or a version of somebody else, begins a new form.
  return (
    <Page title={t('title')}>
      <SettingsForm key={`${app.id} ${app.version}`} app={app} />
      <BrandingSettings key={`branding ${app.id} ${app.version}`} app={app} />
      <IdentitySettings app={app} />
      <Plan app={app} />
      {mayChange && <DangerZone app={app} />}
    </Page>
  );
}

function SettingsForm({ app }: { app: App }) {
  const t = useTranslations('settings');
  const { queries } = Route.useRouteContext();
  const mayChange = useMay(app.id, 'admin');
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({ mode: 'controlled', initialValues: valuesOf(app) });
  const save = useMutation({
    mutationFn: (values: Values) =>
      client.PATCH('/api/manage/apps/{appId}', {
        params: { path: { appId: app.id }, header: { 'If-Match': `"${app.version}"` } },
        body: changeOf(values),
      }),
    async onSuccess() {
      notifications.show({ message: t('saved') });
      await Promise.all([queries.invalidateQueries(appQuery(app.id)), queries.invalidateQueries(appsQuery())]);
    },
    onError(error) {
      setFailure(null);
      if (hasCode(error, 'SUBDOMAIN_TAKEN', 'SUBDOMAIN_RESERVED')) form.setFieldError('subdomain', error.message);
      else if (!showFaults(form, error, NAMES)) setFailure(error);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Fieldset variant="unstyled" disabled={!mayChange} aria-label={t('title')}>
        <Stack maw={640}>
          {!mayChange && <Text>{t('readOnly')}</Text>}
          <Fieldset legend={t('app')}>
            <Stack gap="sm">
              <TextInput label={t('name')} required {...form.getInputProps('name')} />
              <TextInput
                label={t('subdomain')}
                description={t('subdomainHelp')}
                required
                {...form.getInputProps('subdomain')}
              />
              <Autocomplete
                label={t('timeZone')}
                description={t('timeZoneHelp')}
                data={Intl.supportedValuesOf('timeZone')}
                limit={20}
                required
                {...form.getInputProps('timeZone')}
              />
              <TextInput
                label={t('webFallbackUrl')}
                description={t('webFallbackUrlHelp')}
                {...form.getInputProps('webFallbackUrl')}
              />
              <TagsInput label={t('labels')} description={t('labelsHelp')} {...form.getInputProps('labels')} />
              <TagsInput
                label={t('publishedParameters')}
                description={t('publishedParametersHelp')}
                {...form.getInputProps('publishedParameters')}
              />
              <Switch
                label={t('existingUsers')}
                description={t('existingUsersHelp')}
                {...form.getInputProps('existingUsers', { type: 'checkbox' })}
              />
              <Switch
                label={t('publicTry')}
                description={t('publicTryHelp')}
                {...form.getInputProps('publicTry', { type: 'checkbox' })}
              />
              <Switch
                label={t('clipboard')}
                description={t('clipboardHelp')}
                {...form.getInputProps('clipboard', { type: 'checkbox' })}
              />
            </Stack>
          </Fieldset>
          <Fieldset legend="iOS">
            <Stack gap="sm">
              <TextInput label={t('bundleId')} placeholder="com.example.app" {...form.getInputProps('bundleId')} />
              <TextInput label={t('teamId')} placeholder="ABCDE12345" {...form.getInputProps('teamId')} />
              <TextInput label={t('storeId')} placeholder="123456789" {...form.getInputProps('storeId')} />
              <TextInput
                label={t('appClipBundleId')}
                description={t('appClipBundleIdHelp')}
                placeholder="com.example.app.Clip"
                {...form.getInputProps('appClipBundleId')}
              />
            </Stack>
          </Fieldset>
          <Fieldset legend="Android">
            <Stack gap="sm">
              <TextInput label={t('package')} placeholder="com.example.app" {...form.getInputProps('package')} />
              <TagsInput
                label={t('certificates')}
                description={t('certificatesHelp')}
                {...form.getInputProps('certificates')}
              />
            </Stack>
          </Fieldset>
          {failure !== null && <FailureAlert error={failure} />}
          {hasCode(failure, 'VERSION_MISMATCH') && (
            <Button variant="default" onClick={() => void queries.invalidateQueries(appQuery(app.id))}>
              {t('reload')}
            </Button>
          )}
          {mayChange && (
            <Group>
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {t('save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}
