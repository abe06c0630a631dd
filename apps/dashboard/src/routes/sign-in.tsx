import { ownPath } from '@landfall/api-client/own-path';
import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client } from '../api/client.ts';
import { FailureAlert } from '../parts/page/failure-alert.tsx';
import { OutsidePage } from '../parts/page/outside-page.tsx';
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
  const setUp = useQuery(api.queryOptions('get', '/api/manage/set-up'));
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : t('emailMissing')),
      password: (value) => (value === '' ? t('passwordMissing') : null),
    },
  });
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => client.POST('/api/manage/session', { body }),
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
      <form onSubmit={form.onSubmit((body) => signIn.mutate(body))} noValidate>
        <Stack>
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            required
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            required
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {signIn.isError && <FailureAlert error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
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
