import { ownPath } from '@landfall/api-client/own-path';
import { Anchor, Button, Divider, PasswordInput, Text, TextInput } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client, enter } from '../api/index.ts';
import { CommandForm, useCommandForm } from '../parts/forms/form.tsx';
import { CommandButton, FailureAlert, OutsidePage } from '../parts/page/page.tsx';
import { askForPasskey, knowsPasskeys } from '../parts/sign-in/passkeys.ts';
import { SecondStep, type SecondStepNeeded } from '../parts/sign-in/second-step.tsx';
import { words } from '../words/words.ts';

export const Route = createFileRoute('/sign-in')({
  validateSearch: ({ to, error }: Record<string, unknown>) => ({
    // Another site must not be able to send a person elsewhere after the sign-in.
    ...(typeof to === 'string' && { to: ownPath(to) ?? '/' }),
    ...(typeof error === 'string' && { error }),
  }),
  component: SignIn,
});

const isProviderFault = (error: string): error is keyof typeof words.signIn.providerFaults =>
  Object.hasOwn(words.signIn.providerFaults, error);

function SignIn() {
  const t = useTranslations('signIn');
  const { to = '/', error } = Route.useSearch();
  const { queries } = Route.useRouteContext();
  const setUp = api.useQuery('get', '/api/manage/set-up');
  const [needed, setNeeded] = useState<SecondStepNeeded | null>(null);
  const form = useCommandForm(t, {
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : t('emailMissing')),
      password: (value) => (value === '' ? t('passwordMissing') : null),
    },
    send: (body) => client.POST('/api/manage/session', { body }),
    meta: { refetch: false },
    onSuccess: ({ data }) => (data?.secondStep ? setNeeded(data.secondStep) : enter(queries, to)),
  });
  async function byPasskey() {
    const { data } = await client.POST('/api/manage/session/passkey-options');
    const passkey = await askForPasskey(data!.options, t('passkeyCancelled'));
    await client.POST('/api/manage/session/passkey', { body: { step: data!.step, passkey } });
    enter(queries, to);
  }
  const oidc = setUp.data?.oidc;
  const mayUsePasskey = setUp.data?.passkeys && knowsPasskeys();
  // Anybody can write the address of this page: a text in it is never shown.
  const faultOf = (error: string): string =>
    isProviderFault(error) ? t(`providerFaults.${error}`) : t('providerFailed');
  if (needed)
    return (
      <OutsidePage title={t('secondStep')}>
        <SecondStep needed={needed} onDone={() => enter(queries, to)} onBack={() => setNeeded(null)} />
      </OutsidePage>
    );
  return (
    <OutsidePage title={t('title')}>
      {setUp.data?.needed && <Text size="md">{t('setUpFirst')}</Text>}
      {error !== undefined && <FailureAlert error={faultOf(error)} />}
      <CommandForm form={form} submit={t('submit')} noValidate>
        {/* The page has nothing else to do first. */}
        <TextInput type="email" autoComplete="username" required autoFocus {...form.field('email')} />
        <PasswordInput autoComplete="current-password" required {...form.field('password')} />
      </CommandForm>
      {(oidc || mayUsePasskey) && <Divider label={t('or')} />}
      {mayUsePasskey && (
        <CommandButton variant="default" command={byPasskey}>
          {t('passkey')}
        </CommandButton>
      )}
      {oidc && (
        <Button component="a" variant="default" href={`/api/manage/sign-in/oidc?to=${encodeURIComponent(to)}`}>
          {t('with', { name: oidc.name })}
        </Button>
      )}
      {setUp.data?.mail === true && (
        <Anchor component={Link} to="/forgotten" size="sm">
          {t('forgottenByMail')}
        </Anchor>
      )}
      {setUp.data?.mail === false && <Text>{t('forgotten')}</Text>}
      {setUp.isError && <FailureAlert error={setUp.error} asksAgain />}
      <Anchor href="/docs" size="sm">
        {t('docs')}
      </Anchor>
    </OutsidePage>
  );
}
