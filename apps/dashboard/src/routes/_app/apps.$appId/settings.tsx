import type { App } from '@landfall/api-client';
import {
  Anchor,
  Autocomplete,
  Group,
  Progress,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { createFileRoute, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, client, useApp, useMay, useMe } from '../../../api/index.ts';
import { OF_SUBDOMAIN } from '../../../parts/forms/app-fields.tsx';
import { entered } from '../../../parts/forms/changes.ts';
import { fieldsOf } from '../../../parts/forms/form.tsx';
import { ConfirmButton } from '../../../parts/page/buttons.tsx';
import { Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { ArchiveApp } from '../../../parts/settings/archive-app.tsx';
import { BrandingFields } from '../../../parts/settings/branding.tsx';
import { IdentitySettings } from '../../../parts/settings/identity.tsx';
import { ReadSettings } from '../../../parts/settings/read-settings.tsx';
import { SettingsForm } from '../../../parts/settings/save-app.tsx';
import classes from '../../../parts/settings/settings.module.css';
import { useSettings } from '../../../parts/settings/use-settings.ts';
import { timeZones } from '../../../parts/time-zone.ts';

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
    branding: { color: app.branding.color, sentence: app.branding.sentence },
    social: app.social,
    identity: app.identity,
  });

const PARTS = ['app', 'iosPart', 'androidPart', 'branding', 'identity', 'plan'] as const;

function Settings() {
  const t = useTranslations('settings');
  const { id, version } = useApp();
  const mayChange = useMay('admin');
  const parts = mayChange ? ([...PARTS, 'danger'] as const) : PARTS;
  return (
    <Page title={t('title')}>
      <div className={classes.page}>
        <nav aria-label={t('parts')} className={classes.parts}>
          {parts.map((part) => (
            <Anchor key={part} href={`#${part}`} size="sm">
              {t(`partNames.${part}`)}
            </Anchor>
          ))}
        </nav>
        <Stack miw={0}>
          {/* Another app, or a version of somebody else, begins a new form. */}
          {mayChange ? <EditSettings key={`${id} ${version}`} /> : <ReadSettings />}
          <Part name="plan">
            <Plan />
          </Part>
          {mayChange && (
            <Part name="danger">
              <DangerZone />
            </Part>
          )}
        </Stack>
      </div>
    </Page>
  );
}

/** A part of the page that an address can name. The header of the page does not cover it. */
const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div id={name} className={classes.part}>
    {children}
  </div>
);

function EditSettings() {
  const t = useTranslations('settings');
  const app = useApp();
  const settings = useSettings('settings', valuesOf(app));
  const { form } = settings;
  const field = fieldsOf(form, t);
  // Other pages lead to a field: `#ios.teamId`.
  const { hash } = useLocation();
  useEffect(() => {
    const input = hash.includes('.') ? form.getInputNode(hash as never) : null;
    input?.scrollIntoView({ block: 'center' });
    input?.focus({ preventScroll: true });
  }, [hash, form.getInputNode]);
  return (
    <SettingsForm settings={settings} fields={{ ...OF_SUBDOMAIN, IDENTITY_SECRET_NEEDED: 'identity' }} t={t}>
      <Part name="app">
        <Section title={t('app')}>
          <TextInput required {...field('name')} />
          <TextInput required {...field('subdomain')} />
          <Autocomplete data={timeZones()} limit={20} required {...field('timeZone')} />
          <TextInput placeholder="https://www.example.com" {...field('webFallbackUrl')} />
          <TagsInput placeholder="inviter, partner" {...field('labels')} />
          <TagsInput placeholder="ref, gclid" {...field('publishedParameters')} />
          <Switch {...field('publicTry', { type: 'checkbox' })} />
          <Switch {...field('clipboard', { type: 'checkbox' })} />
        </Section>
      </Part>
      <Part name="iosPart">
        <Section title={t('partNames.iosPart')}>
          <TextInput placeholder="com.example.app" {...field('ios.bundleId')} />
          <TextInput placeholder="ABCDE12345" {...field('ios.teamId')} />
          <TextInput placeholder="123456789" {...field('ios.storeId')} />
          <TextInput placeholder="com.example.app.Clip" {...field('ios.appClipBundleId')} />
        </Section>
      </Part>
      <Part name="androidPart">
        <Section title={t('partNames.androidPart')}>
          <TextInput placeholder="com.example.app" {...field('android.package')} />
          <TagsInput placeholder="FA:C6:17:45:…" {...field('android.certificates')} />
        </Section>
      </Part>
      <Part name="branding">
        <BrandingFields form={form} />
      </Part>
      <Part name="identity">
        <IdentitySettings mode={form.getInputProps('identity')} />
      </Part>
    </SettingsForm>
  );
}

/** The plan of the app, and how much of it this month has used. Owners of the instance set it. */
function Plan() {
  const t = useTranslations('plan');
  const { id: appId, plan } = useApp();
  const format = useFormatter();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/usage', { params: { path: { appId } } });
  return (
    <Section title={t('title', { name: plan.name })}>
      <Loaded query={query} rows={1}>
        {({ linksCreated, limit, month: ofMonth }) => {
          const month = format.dateTime(new Date(ofMonth), { month: 'long', year: 'numeric', timeZone: 'UTC' });
          const used = format.number(linksCreated);
          const text =
            limit === null
              ? t('unlimited', { count: linksCreated, month })
              : t('used', { used, limit: format.number(limit), month });
          return (
            <>
              <Text>{text}</Text>
              {limit !== null && (
                <Progress value={limit === 0 ? 100 : Math.min(100, (100 * linksCreated) / limit)} aria-label={text} />
              )}
            </>
          );
        }}
      </Loaded>
      <Text>{t('who')}</Text>
    </Section>
  );
}

/** Changes of the owning team, and of whether the app works at all. */
function DangerZone() {
  const t = useTranslations('danger');
  const app = useApp();
  const { teams } = useMe();
  const mayTransfer = useMay('owner');
  const [teamId, setTeamId] = useState<string | null>(null);
  const path = { params: { path: { appId: app.id } } };
  const isArchived = app.archivedAt !== null;
  const others = teams.filter(({ id, role }) => id !== app.teamId && role === 'owner');
  const transfer = () => client.POST('/api/manage/apps/{appId}/transfer', { ...path, body: { teamId: teamId! } });
  return (
    <Section title={t('title')}>
      <Text>{t(isArchived ? 'archivedText' : 'archiveText')}</Text>
      <Group>
        <ArchiveApp />
      </Group>
      {mayTransfer && others.length > 0 && (
        <>
          <Text>{t('transferText')}</Text>
          <Group align="flex-end">
            <Select
              label={t('team')}
              data={others.map(({ id, name }) => ({ value: id, label: name }))}
              value={teamId}
              onChange={setTeamId}
            />
            <ConfirmButton
              color="red.9"
              disabled={teamId === null}
              title={t('transfer')}
              onConfirm={transfer}
              danger
              text={t('transferConfirm', { name: app.name, team: others.find(({ id }) => id === teamId)?.name ?? '' })}
            />
          </Group>
        </>
      )}
    </Section>
  );
}
