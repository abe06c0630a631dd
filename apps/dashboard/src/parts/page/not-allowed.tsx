import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Page } from './page.tsx';

/** A page for which the role of the person does not suffice. */
export function NotAllowed({ title, needs }: { title: string; needs: 'member' | 'admin' | 'owner' }) {
  const t = useTranslations('notAllowed');
  return (
    <Page title={title}>
      <Text>{t('text', { role: t(`roles.${needs}`) })}</Text>
    </Page>
  );
}
