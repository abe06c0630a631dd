// What a tap shows, from the code that serves taps.
import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/index.ts';
import { PageLink } from '../../page/links.tsx';
import { Loaded, Section } from '../../page/page.tsx';
import { SocialPreview } from '../builder/social-fields.tsx';
import { pairsOf } from '../values/metadata.ts';
import type { WholeLink } from './facts.tsx';

const DEVICES = ['iphone-safari', 'android-chrome', 'windows-chrome'] as const;

/** Pixels, so that nothing moves when the page is there. */
const HEIGHT = 460;

export function RealPage({ link }: { link: WholeLink }) {
  const t = useTranslations('link');
  const [device, setDevice] = useState<(typeof DEVICES)[number]>('iphone-safari');
  const query = { link: link.url, device, installed: 'false' } as const;
  const asked = api.useQuery('get', '/api/manage/explain', { params: { query } });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section
        title={t('page')}
        actions={
          <PageLink size="sm" to="/try" search={{ link: link.url, device }}>
            {t('allDevices')}
          </PageLink>
        }
      >
        <SegmentedControl
          aria-label={t('device')}
          data={DEVICES.map((value) => ({ value, label: t(`devices.${value}`) }))}
          value={device}
          onChange={(value) => setDevice(value as typeof device)}
        />
        <div style={{ minHeight: asked.data?.answer.page === null ? undefined : HEIGHT }}>
          <Loaded query={asked} rows={6}>
            {({ steps, answer }) => (
              <Stack gap="xs">
                <Text>{steps.find(({ step }) => step === 'rule')?.detail}</Text>
                {answer.page === null ? (
                  <Text style={{ overflowWrap: 'anywhere' }}>{t('noPage', { url: answer.url ?? '' })}</Text>
                ) : (
                  /* No script runs in it, and it belongs to no origin. */
                  <iframe
                    key={device}
                    src={`/api/manage/explain/page?${new URLSearchParams(query)}`}
                    sandbox=""
                    title={t('pageTitle', { device: t(`devices.${device}`) })}
                    style={{ width: '100%', height: HEIGHT, border: '1px solid var(--mantine-color-default-border)' }}
                  />
                )}
              </Stack>
            )}
          </Loaded>
        </div>
      </Section>
      <Section title={t('preview')}>
        <Text>{t('previewHelp')}</Text>
        <SocialPreview metadata={pairsOf(link.metadata)} />
      </Section>
    </SimpleGrid>
  );
}
