import type { paths } from '@landfall/api-client';
import { Alert, Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/index.ts';
import { CopyBlock } from '../copy.tsx';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { ConfirmButton, RowConfirm, WindowButton } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { knowsPasskeys, makePasskey } from '../sign-in/passkeys.ts';
import { Ago } from '../time.tsx';
import { AuthenticatorForm } from './authenticator-form.tsx';

type Factors = paths['/api/manage/me/second-factor']['get']['responses'][200]['content']['application/json'];
type Codes = readonly string[] | null;

/** The second factors of the person: an authenticator app, passkeys and recovery codes. */
export function SecondFactor() {
  const t = useTranslations('secondFactor');
  const query = api.useQuery('get', '/api/manage/me/second-factor');
  // Here and not in the window that made them: this window goes away with the button that opens it.
  const [codes, setCodes] = useState<Codes>(null);
  return (
    <Section title={t('title')}>
      <Text size="md">{t('intro')}</Text>
      <Loaded query={query} rows={4}>
        {(factors) => (
          <>
            {!factors.fresh && (
              <Alert title={t('again')}>
                <Stack gap="xs" align="flex-start">
                  <Text>{t('againText')}</Text>
                  <Button component="a" href="/sign-in?to=%2Faccount" size="compact-sm">
                    {t('againButton')}
                  </Button>
                </Stack>
              </Alert>
            )}
            <App factors={factors} onCodes={setCodes} />
            <PasskeyList factors={factors} onCodes={setCodes} />
            <RecoveryCodes factors={factors} onCodes={setCodes} />
          </>
        )}
      </Loaded>
      <Modal opened={codes !== null} onClose={() => setCodes(null)} title={t('codes')} closeOnClickOutside={false}>
        <Stack>
          <Alert color="yellow" role="status" title={t('once')}>
            {t('onceText')}
          </Alert>
          <CopyBlock value={codes?.join('\n') ?? ''} label={t('copy')} />
          <Button onClick={() => setCodes(null)}>{t('saved')}</Button>
        </Stack>
      </Modal>
    </Section>
  );
}

interface PartProps {
  factors: Factors;
  onCodes: (codes: Codes) => void;
}

function App({ factors: { authenticatorApp: app, fresh }, onCodes }: PartProps) {
  const t = useTranslations('secondFactor');
  return (
    <Group justify="space-between">
      <div>
        <Title order={3} size="h5">
          {t('app')}
        </Title>
        <Text>
          {app ? (
            <>
              {t('appSince')} <Ago at={app.createdAt} />
            </>
          ) : (
            t('appText')
          )}
        </Text>
      </div>
      {app ? (
        <ConfirmButton
          size="compact-sm"
          variant="default"
          disabled={!fresh}
          title={t('removeApp')}
          text={t('removeAppText')}
          onConfirm={() => client.DELETE('/api/manage/me/authenticator-app')}
          danger
        />
      ) : (
        <WindowButton size="compact-sm" title={t('addApp')} disabled={!fresh}>
          {(close) => <AuthenticatorForm onCodes={onCodes} onClose={close} />}
        </WindowButton>
      )}
    </Group>
  );
}

function PasskeyList({ factors: { passkeys, passkeysPossible, fresh }, onCodes }: PartProps) {
  const t = useTranslations('secondFactor');
  const mayAdd = passkeysPossible && knowsPasskeys();
  const remove = (passkeyId: string) =>
    client.DELETE('/api/manage/me/passkeys/{passkeyId}', { params: { path: { passkeyId } } });
  return (
    <>
      <Group justify="space-between">
        <div>
          <Title order={3} size="h5">
            {t('passkeys')}
          </Title>
          <Text>{t(mayAdd ? 'passkeysText' : 'passkeysOff')}</Text>
        </div>
        {mayAdd && (
          <WindowButton size="compact-sm" title={t('addPasskey')} disabled={!fresh}>
            {(close) => <PasskeyForm onCodes={onCodes} onClose={close} />}
          </WindowButton>
        )}
      </Group>
      {passkeys.length > 0 && (
        <DataTable
          t={t}
          minWidth={480}
          rows={passkeys}
          columns={{
            name: { cell: ({ name }) => name, style: { overflowWrap: 'anywhere' } },
            lastUsed: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : t('never')),
            added: ({ createdAt }) => <Ago at={createdAt} />,
            actions: ({ id, name }) =>
              fresh && <RowConfirm act="remove" t={t} of={{ name }} onConfirm={() => remove(id)} />,
          }}
        />
      )}
    </>
  );
}

function PasskeyForm({ onCodes, onClose }: { onCodes: (codes: Codes) => void; onClose: () => void }) {
  const t = useTranslations('secondFactor');
  const form = useCommandForm(t, {
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === '' ? t('nameMissing') : null) },
    async send({ name }) {
      const { data } = await client.POST('/api/manage/me/passkeys/options');
      const { step, options } = data!;
      const passkey = await makePasskey(options, t('cancelled'));
      return client.POST('/api/manage/me/passkeys', { body: { step, name, passkey } });
    },
    onSuccess({ data }) {
      onClose();
      onCodes(data!.recoveryCodes);
    },
  });
  return (
    <CommandForm form={form} submit={t('addPasskey')} noValidate>
      <TextInput required data-autofocus maxLength={100} {...form.field('name')} />
    </CommandForm>
  );
}

function RecoveryCodes({ factors: { authenticatorApp, passkeys, recoveryCodes, fresh }, onCodes }: PartProps) {
  const t = useTranslations('secondFactor');
  if (!authenticatorApp && passkeys.length === 0) return null;
  async function renew() {
    const { data } = await client.POST('/api/manage/me/recovery-codes');
    onCodes(data!.recoveryCodes);
  }
  return (
    <Group justify="space-between">
      <div>
        <Title order={3} size="h5">
          {t('codes')}
        </Title>
        <Text>{t('codesLeft', { left: recoveryCodes })}</Text>
      </div>
      <ConfirmButton
        size="compact-sm"
        variant="default"
        disabled={!fresh}
        title={t('renew')}
        text={t('renewText')}
        onConfirm={renew}
      />
    </Group>
  );
}
