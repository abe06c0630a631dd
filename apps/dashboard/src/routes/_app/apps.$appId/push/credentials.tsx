import type { PushProvider } from '@landfall/api-client';
import { Alert, Badge, Button, FileInput, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../../api/apps.ts';
import { client } from '../../../../api/client.ts';
import { hasCode } from '../../../../api/failure.ts';
import { showFaults } from '../../../../parts/forms/form-faults.ts';
import { objectOf } from '../../../../parts/forms/json-text.ts';
import { ConfirmButton } from '../../../../parts/page/confirm.tsx';
import { rowButton } from '../../../../parts/page/data-table.tsx';
import { FailureAlert } from '../../../../parts/page/failure-alert.tsx';
import { Loaded } from '../../../../parts/page/loaded.tsx';
import { Page } from '../../../../parts/page/page.tsx';
import { Section } from '../../../../parts/page/section.tsx';
import { useFailureToast } from '../../../../parts/page/use-failure-toast.ts';
import { providersQuery } from '../../../../parts/push/queries.ts';
import { useMay } from '../../../../parts/roles.ts';
import { Ago } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/push/credentials')({ component: Credentials });

type Kind = PushProvider['kind'];

function Credentials() {
  const t = useTranslations('credentials');
  const { appId } = Route.useParams();
  const query = useQuery(providersQuery(appId));
  return (
    <Page title={t('title')}>
      <Text>{t('intro')}</Text>
      <Loaded query={query}>
        {({ providers }) =>
          (['fcm', 'apns'] as const).map((kind) => (
            <Provider key={kind} kind={kind} provider={providers.find((one) => one.kind === kind)} />
          ))
        }
      </Loaded>
    </Page>
  );
}

function Provider({ kind, provider }: { kind: Kind; provider: PushProvider | undefined }) {
  const t = useTranslations('credentials');
  const { appId } = Route.useParams();
  const mayChange = useMay(appId, 'admin');
  const Form = kind === 'fcm' ? FirebaseForm : AppleForm;
  return (
    <Section title={t(`names.${kind}`)} actions={<State provider={provider} />} maw={640}>
      <Text size="sm">{t(`which.${kind}`)}</Text>
      {provider && <Facts provider={provider} />}
      {mayChange && <Form replaces={provider !== undefined} />}
      {!mayChange && <Text size="sm">{t('readOnly')}</Text>}
    </Section>
  );
}

function State({ provider }: { provider: PushProvider | undefined }) {
  const t = useTranslations('credentials');
  if (!provider) return <Badge color="gray.8">{t('none')}</Badge>;
  if (provider.pausedAt !== null) return <Badge color="red.9">{t('paused')}</Badge>;
  return <Badge color="teal.9">{t('set')}</Badge>;
}

function Facts({ provider }: { provider: PushProvider }) {
  const t = useTranslations('credentials');
  const { appId } = Route.useParams();
  const { timeZone } = useApp(appId);
  const { queries } = Route.useRouteContext();
  const mayChange = useMay(appId, 'admin');
  const tell = useFailureToast();
  const { kind, facts, setAt, pausedAt, pauseReason, waitUntil } = provider;
  const path = { params: { path: { appId, kind } } };
  const renew = () => queries.invalidateQueries(providersQuery(appId));
  const resume = useMutation({
    mutationFn: () => client.POST('/api/manage/apps/{appId}/push-providers/{kind}/resume', path),
    onSuccess: renew,
    onError: tell,
  });
  async function remove() {
    await client.DELETE('/api/manage/apps/{appId}/push-providers/{kind}', path);
    await renew();
  }
  const values = Object.entries(facts).filter(([, value]) => value !== null);
  return (
    <>
      {pausedAt !== null && (
        <Alert color="red" role="alert" title={t('pausedTitle')}>
          <Text size="sm">{pauseReason}</Text>
          <Text size="sm">{t('pausedRemedy')}</Text>
        </Alert>
      )}
      {waitUntil !== null && Date.parse(waitUntil) > Date.now() && (
        <Text size="sm">
          {t('waits')} <Ago at={waitUntil} timeZone={timeZone} />
        </Text>
      )}
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {values.map(([name, value]) => `${t(`facts.${name as keyof typeof facts}`)}: ${value}`).join(' · ')}
        {values.length > 0 && ' · '}
        {t('setAt')} <Ago at={setAt} timeZone={timeZone} />
      </Text>
      {mayChange && (
        <Group gap="xs">
          {pausedAt !== null && (
            <Button size="compact-sm" onClick={() => resume.mutate()} loading={resume.isPending}>
              {t('resume')}
            </Button>
          )}
          <ConfirmButton
            {...rowButton}
            title={t('remove')}
            aria-label={t('removeNamed', { name: t(`names.${kind}`) })}
            onConfirm={remove}
            danger
          >
            <Text>{t('removeText')}</Text>
          </ConfirmButton>
        </Group>
      )}
    </>
  );
}

/** Stores credentials, and says whether the provider has accepted them. */
function useStore(kind: Kind, onError: (error: unknown) => void) {
  const t = useTranslations('credentials');
  const { appId } = Route.useParams();
  const { queries } = Route.useRouteContext();
  return useMutation({
    mutationFn: (body: Record<string, string>) =>
      client.PUT('/api/manage/apps/{appId}/push-providers/{kind}', { params: { path: { appId, kind } }, body }),
    async onSuccess({ data }) {
      notifications.show({ message: data?.checked ? t('accepted') : t('notChecked') });
      await queries.invalidateQueries(providersQuery(appId));
    },
    onError,
  });
}

function FirebaseForm({ replaces }: { replaces: boolean }) {
  const t = useTranslations('credentials');
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const store = useStore('fcm', () => {});
  async function submit() {
    const content = objectOf((await file?.text()) ?? '');
    if (!content || Object.keys(content).length === 0) return setFault(t('notJson'));
    setFault(null);
    store.mutate(content, { onSuccess: () => setFile(null) });
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="sm">
        <FileInput
          label={t('serviceAccount')}
          description={t('serviceAccountHelp')}
          accept="application/json,.json"
          placeholder={t('choose')}
          value={file}
          onChange={setFile}
          error={fault}
        />
        {store.isError && <Refused error={store.error} />}
        <Group>
          <Button type="submit" disabled={!file} loading={store.isPending}>
            {replaces ? t('replace') : t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function AppleForm({ replaces }: { replaces: boolean }) {
  const t = useTranslations('credentials');
  const { appId } = Route.useParams();
  const { ios } = useApp(appId);
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      key: null as File | null,
      keyId: '',
      teamId: ios.teamId ?? '',
      bundleId: ios.bundleId ?? '',
    },
    validate: {
      key: (value) => (value === null ? t('keyMissing') : null),
      keyId: (value) => (value.trim() === '' ? t('keyIdMissing') : null),
    },
  });
  const store = useStore('apns', (error) => setFailure(showFaults(form, error) ? null : error));
  async function submit({ key, keyId, teamId, bundleId }: typeof form.values) {
    const fields = { keyId: keyId.trim(), teamId: teamId.trim(), bundleId: bundleId.trim() };
    store.mutate({ key: await key!.text(), ...fields }, { onSuccess: () => setFailure(null) });
  }
  return (
    <form onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      <Stack gap="sm">
        <FileInput
          label={t('key')}
          description={t('keyHelp')}
          accept=".p8"
          placeholder={t('choose')}
          {...form.getInputProps('key')}
          onChange={(key) => {
            form.setFieldValue('key', key);
            // Apple names the file after the key.
            const id = /AuthKey_(\w+)\.p8$/.exec(key?.name ?? '')?.[1];
            if (id !== undefined) form.setFieldValue('keyId', id);
          }}
        />
        <TextInput label={t('facts.keyId')} required {...form.getInputProps('keyId')} />
        <TextInput label={t('facts.teamId')} required {...form.getInputProps('teamId')} />
        <TextInput label={t('facts.bundleId')} required {...form.getInputProps('bundleId')} />
        {failure !== null && <Refused error={failure} />}
        <Group>
          <Button type="submit" loading={store.isPending}>
            {replaces ? t('replace') : t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The words of the provider are what helps. */
function Refused({ error }: { error: unknown }) {
  const t = useTranslations('credentials');
  return (
    <>
      {hasCode(error, 'PUSH_CREDENTIALS_REFUSED') && <Text size="sm">{t('refused')}</Text>}
      <FailureAlert error={error} />
    </>
  );
}
