import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { client } from '../api/client.ts';
import { CommandForm, fieldsOf } from '../parts/forms/form.tsx';
import { OutsidePage } from '../parts/page/page.tsx';

export const Route = createFileRoute('/reset')({ component: Reset });

/** Chooses a new password with the one-time code in the fragment of the address. */
function Reset() {
  const t = useTranslations('reset');
  const { queries } = Route.useRouteContext();
  const code = location.hash.slice(1);
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value.length < 10 ? t('passwordShort') : null) },
  });
  const choose = useMutation({
    mutationFn: ({ password }: typeof form.values) => client.POST('/api/manage/password', { body: { code, password } }),
    meta: { refetch: false },
    onSuccess() {
      queries.clear();
      location.assign('/');
    },
  });
  return (
    <OutsidePage title={t('title')} intro={code === '' ? t('noCode') : t('intro')}>
      <CommandForm form={form} command={choose} submit={t('submit')} disabled={code === ''} noValidate>
        <PasswordInput autoComplete="new-password" required {...fieldsOf(form, t)('password')} />
      </CommandForm>
    </OutsidePage>
  );
}
