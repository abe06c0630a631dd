import { Badge, Button, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/apps.ts';
import { useLiveEvents } from '../../../parts/live/live-events.ts';
import { LiveList } from '../../../parts/live/live-list.tsx';
import { Page } from '../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/apps/$appId/live')({ component: Live });

function Live() {
  const t = useTranslations('live');
  const { appId } = Route.useParams();
  const { timeZone } = useApp(appId);
  const [paused, setPaused] = useState(false);
  const { items, connected } = useLiveEvents(appId, paused);
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Badge color={paused ? 'gray.8' : connected ? 'teal.9' : 'yellow.4'} variant="filled">
            {paused ? t('paused') : connected ? t('connected') : t('connecting')}
          </Badge>
          <Button variant="default" size="xs" onClick={() => setPaused(!paused)}>
            {paused ? t('resume') : t('pause')}
          </Button>
        </>
      }
    >
      {items.length === 0 && <Text>{t('empty')}</Text>}
      <LiveList appId={appId} items={items} timeZone={timeZone} />
    </Page>
  );
}
