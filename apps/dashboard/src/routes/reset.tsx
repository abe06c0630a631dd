import { PasswordInput } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { client, enter } from '../api/index.ts';
import { CommandForm, useCommandForm } from '../parts/forms/form.tsx';
import { OutsidePage } from '../parts/page/page.tsx';

export const Route = createFileRoute('/reset')({ component: Reset });

/** Chooses a new password with the one-time code in the fragment of the address. */
function Reset() {
  const t = useTranslations('reset');
  const { queries } = Route.useRouteContext();
  const code = location.hash.slice(1);
  const form = useCommandForm(t, {
    initialValues: { password: '' },
    validate: { password: (value) => (value.length < 10 ? t('passwordShort') : null) },
    send: ({ password }) => client.POST('/api/manage/password', { body: { code, password } }),
    meta: { refetch: false },
    onSuccess: () => enter(queries),
  });
  return (
    <OutsidePage title={t('title')} intro={code === '' ? t('noCode') : t('intro')}>
      <CommandForm form={form} submit={t('submit')} disabled={code === ''} noValidate>
        <PasswordInput autoComplete="new-password" required {...form.field('password')} />
      </CommandForm>
    </OutsidePage>
  );
}
