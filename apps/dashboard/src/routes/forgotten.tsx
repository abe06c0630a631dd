import { Anchor, Text, TextInput } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { client } from '../api/index.ts';
import { CommandForm, useCommandForm } from '../parts/forms/form.tsx';
import { OutsidePage } from '../parts/page/page.tsx';

export const Route = createFileRoute('/forgotten')({ component: Forgotten });

/** Asks for an email with the address of a new password. The page says the same for every email. */
function Forgotten() {
  const t = useTranslations('forgotten');
  const form = useCommandForm(t, {
    initialValues: { email: '' },
    validate: { email: (value) => (value.includes('@') ? null : t('emailMissing')) },
    send: (body) => client.POST('/api/manage/password/forgotten', { body }),
    meta: { refetch: false },
  });
  const asked = form.command.isSuccess;
  return (
    <OutsidePage title={t('title')} {...(!asked && { intro: t('intro') })}>
      {asked ? (
        <Text size="md" role="status">
          {t('asked', { email: form.values.email })}
        </Text>
      ) : (
        <CommandForm form={form} submit={t('submit')} noValidate>
          <TextInput type="email" autoComplete="username" required {...form.field('email')} />
        </CommandForm>
      )}
      <Anchor component={Link} to="/sign-in" size="sm">
        {t('back')}
      </Anchor>
    </OutsidePage>
  );
}
