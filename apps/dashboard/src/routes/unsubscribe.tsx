import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ApiFailure } from '../api/index.ts';
import { OutsidePage } from '../parts/page/page.tsx';
import { ConfirmedButton } from '../parts/recipient.tsx';

export const Route = createFileRoute('/unsubscribe')({
  component: Unsubscribe,
  validateSearch: (search) => ({ of: String(search.of ?? '') }),
});

/** Ends emails with the address that each of them has. Mail programs send the same request by themselves. */
function Unsubscribe() {
  const t = useTranslations('unsubscribe');
  const { of } = Route.useSearch();
  const end = useMutation({
    async mutationFn() {
      const answer = await fetch(`/unsubscribe?of=${encodeURIComponent(of)}`, { method: 'POST' });
      if (!answer.ok) throw new ApiFailure(answer.status, 'UNSUBSCRIBE', t(answer.status === 401 ? 'wrong' : 'failed'));
    },
    meta: { refetch: false },
  });
  return (
    <OutsidePage title={t('title')} intro={t('intro')}>
      {end.isSuccess ? (
        <Text role="status">{t('done')}</Text>
      ) : (
        <ConfirmedButton command={end} disabled={of === ''}>
          {t('submit')}
        </ConfirmedButton>
      )}
    </OutsidePage>
  );
}
