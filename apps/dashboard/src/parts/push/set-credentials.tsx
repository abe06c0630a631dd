import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { PageLink } from '../page/links.tsx';
import { providersQuery } from './notification.ts';

/** Leads to the credentials, where a push needs them. */
export function SetCredentials({ appId }: { appId: string }) {
  const t = useTranslations('push');
  return (
    <PageLink size="sm" underline="always" to="/apps/$appId/push/credentials" params={{ appId }}>
      {t('setCredentials')}
    </PageLink>
  );
}

/** Says that no push reaches a phone, while the app has no credentials. */
export function NoCredentials({ appId }: { appId: string }) {
  const t = useTranslations('push');
  const { data } = useQuery(providersQuery(appId));
  if (data?.providers.length !== 0) return null;
  return (
    <Alert color="yellow">
      <Text>{t('noCredentials')}</Text>
      <SetCredentials appId={appId} />
    </Alert>
  );
}
