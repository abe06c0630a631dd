import { useTranslations } from 'use-intl';
import { useApp, useMay } from '../../api/index.ts';
import { PageLink } from '../page/links.tsx';

/** Leads to the first setting that the check misses. Nothing, when it misses none or the person may not change it. */
export function ToField({ check }: { check: string }) {
  const t = useTranslations('setUpApp');
  const { id: appId, ios, android } = useApp();
  const mayChange = useMay('admin');
  const ofApple = ios.teamId ? 'ios.bundleId' : 'ios.teamId';
  const ofAndroid = android.package ? 'android.certificates' : 'android.package';
  const field = {
    'ios-settings': ofApple,
    'apple-file': ofApple,
    'android-settings': ofAndroid,
    'google-file': ofAndroid,
    'ios-store': 'ios.storeId',
    'android-store': 'android.package',
  }[check];
  if (field === undefined || !mayChange) return null;
  return (
    <PageLink size="sm" underline="always" to="/apps/$appId/settings" params={{ appId }} hash={field}>
      {t('toField')}
    </PageLink>
  );
}
