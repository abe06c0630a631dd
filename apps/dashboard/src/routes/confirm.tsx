import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client } from '../api/index.ts';
import { OutsidePage } from '../parts/page/page.tsx';
import { ConfirmedButton } from '../parts/recipient.tsx';

export const Route = createFileRoute('/confirm')({ component: Confirm });

/** The owner of an address confirms it with the one-time code in the fragment. */
function Confirm() {
  const t = useTranslations('confirm');
  const [code] = useState(() => location.hash.slice(1));
  const confirm = useMutation({
    mutationFn: () => client.POST('/api/manage/channels/confirm', { body: { code } }),
    meta: { refetch: false },
  });
  const appName = confirm.data?.data?.appName;
  return (
    <OutsidePage title={t('title')} intro={code === '' ? t('noCode') : t('intro')}>
      {appName !== undefined ? (
        <Text role="status">{t('done', { appName })}</Text>
      ) : (
        <ConfirmedButton command={confirm} disabled={code === ''}>
          {t('submit')}
        </ConfirmedButton>
      )}
    </OutsidePage>
  );
}
