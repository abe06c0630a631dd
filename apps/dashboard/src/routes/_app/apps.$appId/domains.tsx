import type { Domain, paths } from '@landfall/api-client';
import { Button, Group, List, Loader, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Check, CircleAlert, CircleDashed, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { api, askEvery, client, useApp, useMay } from '../../../api/index.ts';
import { CopyLine } from '../../../parts/copy.tsx';
import { useCommandForm } from '../../../parts/forms/form.tsx';
import { RowConfirm, rowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { Disclosure } from '../../../parts/page/disclosure.tsx';
import { CommandButton, FailureAlert, Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { ToField } from '../../../parts/set-up/to-field.tsx';

export const Route = createFileRoute('/_app/apps/$appId/domains')({ component: Domains });

const CHECK = '/api/manage/apps/{appId}/domains/{domainId}/check';
type Checked = paths[typeof CHECK]['get']['responses'][200]['content']['application/json'];
type Step = Checked['steps'][number];

/** Milliseconds between two checks of a domain that still needs something, while somebody sees the page. */
const CHECK_MS = 10_000;

/** The app's own domains: what to set for each of them, and how far it is. */
function Domains() {
  const t = useTranslations('domains');
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/domains', { params: { path: { appId } } });
  const mayChange = useMay('admin');
  return (
    <Page title={t('title')}>
      <Text size="md">{t('intro')}</Text>
      {mayChange && <AddDomain appId={appId} />}
      {mayChange && <Text>{t('needed')}</Text>}
      <Subdomain />
      <Loaded query={query} rows={4}>
        {({ domains }) => domains.map((domain) => <OneDomain key={domain.id} domain={domain} mayChange={mayChange} />)}
      </Loaded>
    </Page>
  );
}

const HOSTS = '/api/manage/apps/{appId}/checks';

/** Pixels of the subdomain with its state, so that the domains below do not move when it is known. */
const SUBDOMAIN_HEIGHT = 200;

/** The host that each app has from the beginning, and whether it serves the files that phones read. */
function Subdomain() {
  const t = useTranslations('domains');
  const names = useTranslations('setUpApp.names');
  const { id: appId, openHost, primaryDomain } = useApp();
  const host = openHost.replace(/^open-/, '');
  const query = api.useQuery('get', HOSTS, { params: { path: { appId } } });
  return (
    <Section title={host} mih={SUBDOMAIN_HEIGHT}>
      <Text>
        {t('subdomain')} {primaryDomain === null && t('primary')}
      </Text>
      <Text style={{ overflowWrap: 'anywhere' }}>{t('openHost', { host: openHost })}</Text>
      <Loaded query={query} rows={2}>
        {({ findings }) => (
          <List listStyleType="none" spacing="sm" styles={AT_FIRST_LINE} aria-label={t('steps')}>
            {findings
              .filter((finding) => finding.host === host)
              .map(({ check, state, detail, fix }) => (
                <List.Item key={check} icon={MARKS[state]}>
                  <Text>
                    <b>
                      {t('step', { name: names(check), state: t(`states.${state === 'skipped' ? 'unset' : state}`) })}
                    </b>{' '}
                    {state === 'skipped' && <ToField check={check} />}
                  </Text>
                  {(state === 'warn' || state === 'failed') && (
                    <Text>
                      {detail} {fix}
                    </Text>
                  )}
                </List.Item>
              ))}
          </List>
        )}
      </Loaded>
    </Section>
  );
}

function OneDomain({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  const t = useTranslations('domains');
  const { id: appId, primaryDomain } = useApp();
  const { id: domainId, domain: name, verifiedAt } = domain;
  const path = { params: { path: { appId, domainId } } };
  const query = api.useQuery('get', CHECK, path, {
    staleTime: 0,
    refetchInterval: (asked) => askEvery(isWell(asked.state.data) ? false : CHECK_MS)(asked),
  });
  const verify = useMutation({
    mutationFn: () => client.POST('/api/manage/apps/{appId}/domains/{domainId}/verify', path),
  });
  const proven = query.data?.steps.some(({ step, state }) => step === 'proof' && state === 'ok') ?? false;
  const toVerify = mayChange && verifiedAt === null && proven;
  const { mutate } = verify;
  useEffect(() => {
    if (toVerify) mutate();
  }, [toVerify, mutate]);
  const isPrimary = primaryDomain === name;
  const prefer = () =>
    client.PATCH('/api/manage/apps/{appId}', {
      params: { path: { appId } },
      body: { primaryDomain: isPrimary ? null : name },
    });
  const remove = () => client.DELETE('/api/manage/apps/{appId}/domains/{domainId}', path);
  return (
    <Section
      title={name}
      actions={
        mayChange && (
          <Group gap="xs">
            {verifiedAt !== null && (
              <CommandButton {...rowButton} command={prefer}>
                {t(isPrimary ? 'notPrimary' : 'makePrimary')}
              </CommandButton>
            )}
            <RowConfirm act="remove" t={t} of={{ name }} onConfirm={remove} />
          </Group>
        )
      }
    >
      {isPrimary && <Text>{t('primary')}</Text>}
      <Loaded query={query} rows={5}>
        {(checked) => (
          <>
            <List listStyleType="none" spacing="sm" styles={AT_FIRST_LINE} aria-label={t('steps')}>
              {checked.steps.map((step) => (
                <OneStep key={step.step} step={step} />
              ))}
            </List>
            {!isWell(checked) && <Records checked={checked} isVerified={verifiedAt !== null} />}
            {!isWell(checked) && (
              <Group gap="xs" role="status">
                <Loader size="sm" type="dots" />
                <Text>{t(verifiedAt === null ? 'waiting' : 'checking')}</Text>
              </Group>
            )}
          </>
        )}
      </Loaded>
      {verify.isError && <FailureAlert error={verify.error} />}
    </Section>
  );
}

const isWell = (checked: Checked | undefined): boolean => checked?.steps.every(({ state }) => state === 'ok') ?? false;

/** The mark of a step that has several lines. */
const AT_FIRST_LINE = { itemWrapper: { alignItems: 'flex-start' } };

const MARKS = {
  ok: <Check size={14} color="var(--mantine-color-teal-text)" aria-hidden />,
  warn: <CircleAlert size={14} aria-hidden />,
  failed: <X size={14} color="var(--mantine-color-red-text)" aria-hidden />,
  skipped: <CircleDashed size={14} aria-hidden />,
} as const;

function OneStep({ step: { step, state, detail, fix } }: { step: Step }) {
  const t = useTranslations('domains');
  return (
    <List.Item icon={MARKS[state]}>
      <Text fw={600}>{t('step', { name: t(`names.${step}`), state: t(`states.${state}`) })}</Text>
      {state !== 'skipped' && <Text>{detail}</Text>}
      {fix !== null && <Text>{fix}</Text>}
    </List.Item>
  );
}

const DNS_HOSTS = [
  'cloudflare',
  'route53',
  'godaddy',
  'namecheap',
  'google',
  'squarespace',
  'azure',
  'digitalocean',
  'hetzner',
  'ovh',
  'gandi',
  'ionos',
  'vercel',
] as const satisfies NonNullable<Checked['dnsHost']>[];

/** The records to copy, and where the company of the DNS has them. */
function Records({ checked: { records, dnsHost }, isVerified }: { checked: Checked; isVerified: boolean }) {
  const t = useTranslations('domains');
  const hosts = useTranslations('domains.dnsHosts');
  const shown = records.filter(({ purpose }) => purpose === 'address' || !isVerified);
  return (
    <Stack gap="xs">
      <Text>{t('records')}</Text>
      {dnsHost === null ? (
        <Disclosure summary={<Text span>{t('whereRecords')}</Text>}>
          <List size="sm">
            {DNS_HOSTS.map((host) => (
              <List.Item key={host}>{hosts(host)}</List.Item>
            ))}
          </List>
        </Disclosure>
      ) : (
        <Text>{hosts(dnsHost)}</Text>
      )}
      <DataTable
        aria-label={t('recordsLabel')}
        minWidth={520}
        rows={shown}
        rowKey={({ type, value }) => `${type} ${value}`}
        t={t}
        columns={{
          type: { w: 90, cell: ({ type }) => type },
          name: ({ name }) => <CopyLine value={name} label={t('copyName')} />,
          value: ({ value }) => <CopyLine value={value} label={t('copyValue')} />,
        }}
      />
      {!records.some(({ purpose }) => purpose === 'address') && <Text>{t('noAddress')}</Text>}
    </Stack>
  );
}

function AddDomain({ appId }: { appId: string }) {
  const t = useTranslations('domains');
  const form = useCommandForm(t, {
    initialValues: { domain: '' },
    send: ({ domain }) =>
      client.POST('/api/manage/apps/{appId}/domains', { params: { path: { appId } }, body: { domain } }),
    fields: { DOMAIN_EXISTS: 'domain', DOMAIN_TAKEN: 'domain' },
    onSuccess(_, form) {
      form.reset();
      notifications.show({ message: t('added') });
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Group align="flex-end">
        <TextInput required flex={1} miw={220} maw={420} {...form.field('domain')} />
        <Button type="submit" loading={form.command.isPending}>
          {t('add')}
        </Button>
      </Group>
      {form.command.error !== null && <FailureAlert error={form.command.error} />}
    </form>
  );
}
