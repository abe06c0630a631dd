import type { App } from '@landfall/api-client';
import { Autocomplete, Button, Fieldset, Group, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/apps.ts';
import { hasCode } from '../../../api/failure.ts';
import { showFaults } from '../../../parts/forms/form-faults.ts';
import { Page } from '../../../parts/page/page.tsx';
import { useMay } from '../../../parts/roles.ts';
import { BrandingSettings } from '../../../parts/settings/branding.tsx';
import { DangerZone } from '../../../parts/settings/danger-zone.tsx';
import { IdentitySettings } from '../../../parts/settings/identity.tsx';
import { Plan } from '../../../parts/settings/plan.tsx';
import { SaveFailure } from '../../../parts/settings/save-failure.tsx';
import { orNull, useSaveApp } from '../../../parts/settings/use-save-app.ts';

export const Route = createFileRoute('/_app/apps/$appId/settings')({ component: Settings });

const valuesOf = ({
  name,
  subdomain,
  timeZone,
  webFallbackUrl,
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

const changeOf = (values: Values) => ({
  name: values.name,
  subdomain: values.subdomain,
  timeZone: values.timeZone,
  webFallbackUrl: orNull(values.webFallbackUrl),
  labels: values.labels,
  publishedParameters: values.publishedParameters,
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
  const mayChange = useMay(app.id, 'admin');
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({ mode: 'controlled', initialValues: valuesOf(app) });
  const save = useSaveApp<Values>(app, {
    before: valuesOf(app),
    changeOf,
    said: t('saved'),
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
          {failure !== null && <SaveFailure app={app} error={failure} />}
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
