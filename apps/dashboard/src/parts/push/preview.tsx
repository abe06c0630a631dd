import { Group, Image, Paper, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import { AppWindow, ImageIcon } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';

interface PreviewProps {
  appName: string;
  /** The push, or the form of one. */
  push: { title: string; body: string; imageUrl: string | null; silent: boolean };
}

/** How phones show a push. Images of other hosts are not loaded: the page asks no host but ours. */
export function Preview({ appName, push }: PreviewProps) {
  const t = useTranslations('push');
  return (
    <section aria-label={t('preview')}>
      {push.silent && <Text>{t('silentPreview')}</Text>}
      {!push.silent && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Phone name="iPhone" radius={18} appName={appName} push={push} />
          <Phone name="Android" radius={28} appName={appName} push={push} />
        </SimpleGrid>
      )}
    </section>
  );
}

function Phone({ name, radius, appName, push }: PreviewProps & { name: string; radius: number }) {
  const t = useTranslations('push');
  const { logo } = useApp().branding;
  const { title, body, imageUrl } = push;
  const corners = name === 'Android' ? 'xl' : 'md';
  // A push may have a title alone, or a text alone. Only an empty form shows where they will be.
  const isEmpty = title === '' && body === '';
  return (
    <Stack gap={4}>
      <Text size="xs" fw={600}>
        {name}
      </Text>
      <Paper withBorder p="sm" radius={radius}>
        <Group align="flex-start" wrap="nowrap" gap="sm">
          {logo === null ? (
            <ThemeIcon size={36} radius={corners} color="indigo.8">
              <AppWindow size={20} aria-hidden />
            </ThemeIcon>
          ) : (
            <Image src={`/logos/${logo}.png`} alt="" w={36} h={36} radius={corners} />
          )}
          <Stack gap={2} flex={1} miw={0}>
            <Text size="xs">{appName}</Text>
            {(title || isEmpty) && (
              <Text fw={700} lineClamp={name === 'Android' ? 1 : 2} title={title}>
                {title || t('titleField')}
              </Text>
            )}
            {(body || isEmpty) && (
              <Text lineClamp={4} title={body} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
                {body || t('body')}
              </Text>
            )}
          </Stack>
          {imageUrl && (
            <ThemeIcon size={36} variant="default" aria-label={t('imageUrl')}>
              <ImageIcon size={20} aria-hidden />
            </ThemeIcon>
          )}
        </Group>
      </Paper>
    </Stack>
  );
}
