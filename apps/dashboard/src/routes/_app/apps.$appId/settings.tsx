import type { App } from '@landfall/api-client';
import { Autocomplete, Fieldset, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useApp, useMay } from '../../../api/apps.ts';
import { OF_SUBDOMAIN } from '../../../parts/forms/app-fields.tsx';
import { entered } from '../../../parts/forms/changes.ts';
import { fieldsOf } from '../../../parts/forms/form.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { BrandingSettings } from '../../../parts/settings/branding.tsx';
import { DangerZone } from '../../../parts/settings/danger-zone.tsx';
import { IdentitySettings } from '../../../parts/settings/identity.tsx';
import { Plan } from '../../../parts/settings/plan.tsx';
import { SettingsForm } from '../../../parts/settings/save-app.tsx';

export const Route = createFileRoute('/_app/apps/$appId/settings')({ component: Settings });

const valuesOf = (app: App) =>
  entered({
    name: app.name,
    subdomain: app.subdomain,
    timeZone: app.timeZone,
    webFallbackUrl: app.webFallbackUrl,
    labels: app.labels,
    publishedParameters: app.publishedParameters,
    publicTry: app.publicTry,
    clipboard: app.clipboard,
    ios: app.ios,
    android: app.android,
  });

function Settings() {
  const t = useTranslations('settings');
  const { appId } = Route.useParams();
  const app = useApp(appId);
  const mayChange = useMay(appId, 'admin');
  // Another app, or a version of somebody else, begins a new form.
  return (
    <Page title={t('title')}>
      <General key={`${app.id} ${app.version}`} app={app} />
      <BrandingSettings key={`branding ${app.id} ${app.version}`} app={app} />
      <IdentitySettings app={app} />
      <Plan app={app} />
      {mayChange && <DangerZone app={app} />}
    </Page>
  );
}

function General({ app }: { app: App }) {
  const t = useTranslations('settings');
  const mayChange = useMay(app.id, 'admin');
  const form = useForm({ initialValues: valuesOf(app) });
  const field = fieldsOf(form, t);
  return (
    <SettingsForm app={app} form={form} fields={OF_SUBDOMAIN} t={t}>
      {!mayChange && <Text>{t('readOnly')}</Text>}
      <Fieldset legend={t('app')}>
        <Stack gap="sm">
          <TextInput required {...field('name')} />
          <TextInput required {...field('subdomain')} />
          <Autocomplete data={Intl.supportedValuesOf('timeZone')} limit={20} required {...field('timeZone')} />
          <TextInput {...field('webFallbackUrl')} />
          <TagsInput {...field('labels')} />
          <TagsInput {...field('publishedParameters')} />
          <Switch {...field('publicTry', { type: 'checkbox' })} />
          <Switch {...field('clipboard', { type: 'checkbox' })} />
        </Stack>
      </Fieldset>
      <Fieldset legend="iOS">
        <Stack gap="sm">
          <TextInput placeholder="com.example.app" {...field('ios.bundleId')} />
          <TextInput placeholder="ABCDE12345" {...field('ios.teamId')} />
          <TextInput placeholder="123456789" {...field('ios.storeId')} />
          <TextInput placeholder="com.example.app.Clip" {...field('ios.appClipBundleId')} />
        </Stack>
      </Fieldset>
      <Fieldset legend="Android">
        <Stack gap="sm">
          <TextInput placeholder="com.example.app" {...field('android.package')} />
          <TagsInput {...field('android.certificates')} />
        </Stack>
      </Fieldset>
    </SettingsForm>
  );
}
