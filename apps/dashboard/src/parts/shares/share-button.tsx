import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Share2 } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '../../api/index.ts';
import type { View } from '../analytics/view.ts';
import { Waiting } from '../page/page.tsx';

const ShareWindow = lazyRouteComponent(() => import('./share-window.tsx'), 'ShareWindow');

/** Shares what the page shows, with people without an account. */
export function ShareButton({ view }: { view: View }) {
  const t = useTranslations('shares');
  const mayShare = useMay('member');
  const [opened, { open, close }] = useDisclosure();
  if (!mayShare) return null;
  return (
    <>
      <Button leftSection={<Share2 size={16} aria-hidden />} onClick={open}>
        {t('share')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('shareTitle')}>
        <Suspense fallback={<Waiting rows={5} />}>
          <ShareWindow view={view} onClose={close} />
        </Suspense>
      </Modal>
    </>
  );
}
