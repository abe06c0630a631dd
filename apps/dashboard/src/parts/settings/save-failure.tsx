import type { App } from '@landfall/api-client';
import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { hasCode } from '../../api/failure.ts';
import { FailureAlert } from '../page/failure-alert.tsx';
import { useRenewApp } from './use-save-app.ts';

/** Says why settings are not saved. When somebody else was faster, it offers their version. */
export function SaveFailure({ app, error }: { app: App; error: unknown }) {
  const t = useTranslations('settings');
  const renew = useRenewApp(app);
  return (
    <>
      <FailureAlert error={error} />
      {hasCode(error, 'VERSION_MISMATCH') && (
        <Button variant="default" onClick={() => void renew()}>
          {t('reload')}
        </Button>
      )}
    </>
  );
}
