import { useTranslations } from 'use-intl';
import { PageLink } from '../page/links.tsx';

/** Leads to the credentials, where a push needs them. */
export function SetCredentials({ appId }: { appId: string }) {
  const t = useTranslations('push');
  return (
    <PageLink size="sm" underline="always" to="/apps/$appId/push/credentials" params={{ appId }}>
      {t('setCredentials')}
    </PageLink>
  );
}
