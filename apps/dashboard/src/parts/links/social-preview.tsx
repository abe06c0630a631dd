import { Card, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SOCIAL } from './metadata-fields.ts';

export interface SocialPreviewProps {
  appName: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** How messengers and feeds show a link. Images of other hosts are not loaded: the page asks no host but ours. */
export function SocialPreview({ appName, metadata }: SocialPreviewProps) {
  const t = useTranslations('newLink');
  const [title = '', text = '', image = ''] = SOCIAL.map((key) => {
    const value = metadata[key];
    return typeof value === 'string' ? value.trim() : '';
  });
  return (
    <Card withBorder padding="sm" component="figure" m={0} maw={440} aria-label={t('socialPreview')}>
      <Text size="xs">{appName}</Text>
      <Text fw={600} lineClamp={2} title={title}>
        {title || appName}
      </Text>
      {text !== '' && (
        <Text size="sm" lineClamp={3} title={text}>
          {text}
        </Text>
      )}
      {image !== '' && (
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {t('withImage', { image })}
        </Text>
      )}
    </Card>
  );
}
