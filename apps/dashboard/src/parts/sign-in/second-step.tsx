import type { paths } from '@landfall/api-client';
import { Button, Divider, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { client } from '../../api/index.ts';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { CommandButton } from '../page/page.tsx';
import { askForPasskey } from './passkeys.ts';

type SignedIn = paths['/api/manage/session']['post']['responses'][200]['content']['application/json'];
export type SecondStepNeeded = NonNullable<SignedIn['secondStep']>;

interface SecondStepProps {
  needed: SecondStepNeeded;
  onDone: () => void;
  onBack: () => void;
}

/** The proof of a person after the right password. */
export function SecondStep({ needed: { step, authenticatorApp, passkey }, onDone, onBack }: SecondStepProps) {
  const t = useTranslations('secondStep');
  const form = useCommandForm(t, {
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? t('codeMissing') : null) },
    send: ({ code }) => client.POST('/api/manage/session/second-step', { body: { step, code } }),
    fields: { SECOND_FACTOR_WRONG: 'code' },
    meta: { refetch: false },
    onSuccess: onDone,
  });
  async function byPasskey() {
    const answer = await askForPasskey(passkey!, t('cancelled'));
    await client.POST('/api/manage/session/second-step', { body: { step, passkey: answer } });
    onDone();
  }
  return (
    <>
      {passkey && (
        <>
          <Text size="md">{t('passkeyText')}</Text>
          <CommandButton command={byPasskey}>{t('passkey')}</CommandButton>
          <Divider label={t('or')} />
        </>
      )}
      <CommandForm form={form} submit={t('submit')} noValidate>
        <TextInput
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={60}
          required
          data-autofocus
          // The page has just asked for it.
          autoFocus={!passkey}
          {...form.field('code')}
          description={t(authenticatorApp ? 'codeText' : 'recoveryText')}
        />
      </CommandForm>
      <Button variant="default" onClick={onBack}>
        {t('back')}
      </Button>
      <Text>{t('lost')}</Text>
    </>
  );
}
