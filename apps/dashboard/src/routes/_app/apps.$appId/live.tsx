import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type LiveItem, useLiveEvents } from '../../../parts/live/live-events.ts';
import { LiveList, latestEvents } from '../../../parts/live/live-list.tsx';
import { Page, Section } from '../../../parts/page/page.tsx';
import { Toned } from '../../../parts/states/state.tsx';

export const Route = createFileRoute('/_app/apps/$appId/live')({ component: Live });

function Live() {
  const t = useTranslations('live');
  const { appId } = Route.useParams();
  const [paused, setPaused] = useState(false);
  const { items, connected } = useLiveEvents(appId, paused);
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Toned tone={paused ? 'off' : connected ? 'good' : 'warning'}>
            {paused ? t('paused') : connected ? t('connected') : t('connecting')}
          </Toned>
          <Button variant="default" size="xs" onClick={() => setPaused(!paused)}>
            {paused ? t('resume') : t('pause')}
          </Button>
        </>
      }
    >
      {items.length === 0 && <Text size="md">{t('empty')}</Text>}
      <LiveList appId={appId} items={items} />
      <Before appId={appId} items={items} />
    </Page>
  );
}

/** The events before the page opened. They are read once. */
function Before({ appId, items }: { appId: string; items: readonly LiveItem[] }) {
  const t = useTranslations('live');
  const { data } = useQuery({ ...latestEvents(appId, 20), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
  const now = new Set(items.map(({ id }) => id));
  const before = data?.events.filter(({ id }) => !now.has(id)) ?? [];
  if (before.length === 0) return null;
  return (
    <Section title={t('before')}>
      <LiveList items={before} />
    </Section>
  );
}
