// Says where to look when Landfall gave a link, and its person saw nothing.

import { splitUtm } from '@landfall/api-client/utm';
import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { PageLink } from '../page/links.tsx';

export function Handed({ destination }: { destination: string }) {
  const t = useTranslations('restores');
  const { id: appId } = useApp();
  return (
    <Text size="sm" my="xs" style={{ overflowWrap: 'anywhere' }}>
      {t('handed', { path: splitUtm(destination).rest })}{' '}
      <PageLink size="sm" underline="always" to="/apps/$appId/set-up" params={{ appId }}>
        {t('handles')}
      </PageLink>
    </Text>
  );
}
