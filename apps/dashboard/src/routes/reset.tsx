import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { client } from '../api/client.ts';
import { FailureAlert } from '../parts/page/failure-alert.tsx';
import { OutsidePage } from '../parts/page/outside-page.tsx';

export const Route = createFileRoute('/reset')({ component: Reset });

/** Chooses a new password with the one-time code in the fragment of the address. */
function Reset() {
  const t = useTranslations('reset');
  const { queries } = Route.useRouteContext();
  const code = location.hash.slice(1);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (value) => (value.length < 10 ? t('passwordShort') : null) },
  });
  const choose = useMutation({
    mutationFn: ({ password }: typeof form.values) => client.POST('/api/manage/password', { body: { code, password } }),
    onSuccess() {
      queries.clear();
      location.assign('/');
    },
  });
  return (
    <OutsidePage title={t('title')} intro={code === '' ? t('noCode') : t('intro')}>
      <form onSubmit={form.onSubmit((values) => choose.mutate(values))} noValidate>
        <Stack>
          <PasswordInput
            label={t('password')}
            autoComplete="new-password"
            required
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {choose.isError && <FailureAlert error={choose.error} />}
          <Button type="submit" loading={choose.isPending} disabled={code === ''}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
    </OutsidePage>
  );
}
