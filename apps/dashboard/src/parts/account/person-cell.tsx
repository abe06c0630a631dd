import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';

export function PersonCell({ name, email, emailVerified }: { name: string; email: string; emailVerified: boolean }) {
  const t = useTranslations('people');
  return (
    <>
      {name}
      <Text style={{ overflowWrap: 'anywhere' }}>{email}</Text>
      {!emailVerified && (
        <Text size="xs" c="dimmed">
          {t('unverified')}
        </Text>
      )}
    </>
  );
}
