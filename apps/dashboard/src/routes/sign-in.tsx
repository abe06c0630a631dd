import { ownPath } from '@landfall/api-client/own-path';
import { Anchor, Button, Divider, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client } from '../api/client.ts';
import { CommandForm, fieldsOf } from '../parts/forms/form.tsx';
import { FailureAlert, OutsidePage } from '../parts/page/page.tsx';
import words from '../words/en.json';

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
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : t('emailMissing')),
      password: (value) => (value === '' ? t('passwordMissing') : null),
    },
  });
  const field = fieldsOf(form, t);
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => client.POST('/api/manage/session', { body }),
    meta: { refetch: false },
    onSuccess() {
      queries.clear();
      location.assign(to);
    },
  });
  const oidc = setUp.data?.oidc;
  // Anybody can write the address of this page: a text in it is never shown.
  const faultOf = (error: string): string =>
    isProviderFault(error) ? t(`providerFaults.${error}`) : t('providerFailed');
  return (
    <OutsidePage title={t('title')}>
      {setUp.data?.needed && <Text>{t('setUpFirst')}</Text>}
      {error !== undefined && <FailureAlert error={faultOf(error)} />}
      <CommandForm form={form} command={signIn} submit={t('submit')} noValidate>
        <TextInput type="email" autoComplete="username" required {...field('email')} />
        <PasswordInput autoComplete="current-password" required {...field('password')} />
      </CommandForm>
      {oidc && (
        <>
          <Divider label={t('or')} />
          <Button component="a" variant="default" href={`/api/manage/sign-in/oidc?to=${encodeURIComponent(to)}`}>
            {t('with', { name: oidc.name })}
          </Button>
        </>
      )}
      <Text size="sm">{t('forgotten')}</Text>
      {setUp.isError && <FailureAlert error={setUp.error} asksAgain />}
      <Anchor href="/docs" size="sm">
        {t('docs')}
      </Anchor>
    </OutsidePage>
  );
}
