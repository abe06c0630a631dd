import { PasswordInput } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, enter } from '../api/index.ts';
import { CommandForm, useCommandForm } from '../parts/forms/form.tsx';
import { OutsidePage } from '../parts/page/page.tsx';
import { SecondStep, type SecondStepNeeded } from '../parts/sign-in/second-step.tsx';

export const Route = createFileRoute('/reset')({ component: Reset });

/** Chooses a new password with the one-time code in the fragment of the address. */
function Reset() {
  const t = useTranslations('reset');
  const { queries } = Route.useRouteContext();
  const [code] = useState(() => location.hash.slice(1));
  const [needed, setNeeded] = useState<SecondStepNeeded | null>(null);
  const form = useCommandForm(t, {
    initialValues: { password: '' },
    validate: { password: (value) => (value.length < 10 ? t('passwordShort') : null) },
    send: ({ password }) => client.POST('/api/manage/password', { body: { code, password } }),
    meta: { refetch: false },
    onSuccess: ({ data }) => (data?.secondStep ? setNeeded(data.secondStep) : enter(queries)),
  });
  if (needed)
    return (
      <OutsidePage title={t('title')} intro={t('chosen')}>
        <SecondStep needed={needed} onDone={() => enter(queries)} onBack={() => location.assign('/sign-in')} />
      </OutsidePage>
    );
  return (
    <OutsidePage title={t('title')} intro={code === '' ? t('noCode') : t('intro')}>
      <CommandForm form={form} submit={t('submit')} disabled={code === ''} noValidate>
        <PasswordInput autoComplete="new-password" required {...form.field('password')} />
      </CommandForm>
    </OutsidePage>
  );
}
