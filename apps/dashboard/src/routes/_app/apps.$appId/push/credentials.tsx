import type { PushProvider } from '@landfall/api-client';
import { Alert, Button, FileInput, Group, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { client, hasCode, useApp, useMay } from '../../../../api/index.ts';
import { objectOf } from '../../../../parts/forms/changes.ts';
import { CommandForm, useCommandForm } from '../../../../parts/forms/form.tsx';
import { RowConfirm } from '../../../../parts/page/buttons.tsx';
import { Loaded, Page, Section } from '../../../../parts/page/page.tsx';
import { useCommand } from '../../../../parts/page/use-command.ts';
import { providersQuery } from '../../../../parts/push/notification.ts';
import { State } from '../../../../parts/states/state.tsx';
import { states } from '../../../../parts/states/states.ts';
import { Ago } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/push/credentials')({ component: Credentials });

type Kind = PushProvider['kind'];

function Credentials() {
  const t = useTranslations('credentials');
  const { appId } = Route.useParams();
  const query = useQuery(providersQuery(appId));
  return (
    <Page title={t('title')}>
      <Text size="md">{t('intro')}</Text>
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
  const mayChange = useMay('admin');
  const Form = kind === 'fcm' ? FirebaseForm : AppleForm;
  return (
    <Section
      title={t(`names.${kind}`)}
      actions={<State words={states.credentials} of={provider} t={(word) => t(`states.${word}`)} />}
    >
      <Text>{t(`which.${kind}`)}</Text>
      {provider && <Facts provider={provider} />}
      {mayChange && <Form submit={t(provider ? 'replace' : 'save')} />}
      {!mayChange && <Text>{t('readOnly')}</Text>}
    </Section>
  );
}

function Facts({ provider }: { provider: PushProvider }) {
  const t = useTranslations('credentials');
  const { appId } = Route.useParams();
  const mayChange = useMay('admin');
  const { kind, facts, setAt, pausedAt, pauseReason, waitUntil } = provider;
  const path = { params: { path: { appId, kind } } };
  const resume = useCommand(() => client.POST('/api/manage/apps/{appId}/push-providers/{kind}/resume', path));
  const remove = () => client.DELETE('/api/manage/apps/{appId}/push-providers/{kind}', path);
  const values = Object.entries(facts).filter(([, value]) => value !== null);
  return (
    <>
      {pausedAt !== null && (
        <Alert color="red" role="alert" title={t('pausedTitle')}>
          <Text>{pauseReason}</Text>
          <Text>{t('pausedRemedy')}</Text>
        </Alert>
      )}
      {waitUntil !== null && Date.parse(waitUntil) > Date.now() && (
        <Text>
          {t('waits')} <Ago at={waitUntil} />
        </Text>
      )}
      <Text style={{ overflowWrap: 'anywhere' }}>
        {values.map(([name, value]) => `${t(`facts.${name as keyof typeof facts}`)}: ${value}`).join(' · ')}
        {values.length > 0 && ' · '}
        {t('setAt')} <Ago at={setAt} />
      </Text>
      {mayChange && (
        <Group gap="xs">
          {pausedAt !== null && (
            <Button size="compact-sm" onClick={() => resume.mutate()} loading={resume.isPending}>
              {t('resume')}
            </Button>
          )}
          <RowConfirm act="remove" t={t} of={{ name: t(`names.${kind}`) }} onConfirm={remove} />
        </Group>
      )}
    </>
  );
}

/** Returns a function that stores credentials, and says whether the provider has accepted them. */
function useStore(kind: Kind) {
  const t = useTranslations('credentials');
  const { appId } = Route.useParams();
  const params = { path: { appId, kind } };
  return async (body: Record<string, string>) => {
    const { data } = await client.PUT('/api/manage/apps/{appId}/push-providers/{kind}', { params, body });
    notifications.show({ message: data?.checked ? t('accepted') : t('notChecked') });
  };
}

function FirebaseForm({ submit }: { submit: string }) {
  const t = useTranslations('credentials');
  const store = useStore('fcm');
  const form = useCommandForm(t, {
    initialValues: { serviceAccount: null as File | null },
    async send({ serviceAccount }, form) {
      const content = objectOf(await serviceAccount!.text());
      if (!content || Object.keys(content).length === 0) return form.setFieldError('serviceAccount', t('notJson'));
      await store(content);
      form.reset();
    },
  });
  const isEmpty = form.getValues().serviceAccount === null;
  return (
    <CommandForm form={form} submit={submit} disabled={isEmpty} inPage>
      <FileInput accept="application/json,.json" placeholder={t('choose')} {...form.field('serviceAccount')} />
      <Refused error={form.command.error} />
    </CommandForm>
  );
}

function AppleForm({ submit }: { submit: string }) {
  const t = useTranslations('credentials');
  const { ios } = useApp();
  const store = useStore('apns');
  const form = useCommandForm(t, {
    initialValues: { key: null as File | null, keyId: '', teamId: ios.teamId ?? '', bundleId: ios.bundleId ?? '' },
    validate: {
      key: (value) => (value === null ? t('keyMissing') : null),
      keyId: (value) => (value.trim() === '' ? t('keyIdMissing') : null),
    },
    send: async ({ key, keyId, teamId, bundleId }) =>
      store({ key: await key!.text(), keyId: keyId.trim(), teamId: teamId.trim(), bundleId: bundleId.trim() }),
  });
  return (
    <CommandForm form={form} submit={submit} noValidate inPage>
      <FileInput
        accept=".p8"
        placeholder={t('choose')}
        {...form.field('key')}
        onChange={(key) => {
          form.setFieldValue('key', key);
          // Apple names the file after the key.
          const id = /AuthKey_(\w+)\.p8$/.exec(key?.name ?? '')?.[1];
          if (id !== undefined) form.setFieldValue('keyId', id);
        }}
      />
      {(['keyId', 'teamId', 'bundleId'] as const).map((name) => (
        <TextInput key={name} label={t(`facts.${name}`)} required {...form.getInputProps(name)} />
      ))}
      <Refused error={form.command.error} />
    </CommandForm>
  );
}

/** Stands above the words of the provider, which are what helps. */
function Refused({ error }: { error: unknown }) {
  const t = useTranslations('credentials');
  return hasCode(error, 'PUSH_CREDENTIALS_REFUSED') && <Text>{t('refused')}</Text>;
}
