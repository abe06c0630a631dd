import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { askEvery } from '../../api/queries.ts';
import { PageLink } from '../page/links.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { LiveList } from './live-list.tsx';

const LATEST = 8;

/** The latest events of an app, the newest first. */
export const latestEvents = (appId: string, limit: number) =>
  api.queryOptions('get', '/api/manage/apps/{appId}/events', { params: { path: { appId }, query: { limit } } });

/** The latest events of an app, with a way to all of them. */
export function Latest({ appId }: { appId: string }) {
  const t = useTranslations('home');
  const query = useQuery({ ...latestEvents(appId, LATEST), refetchInterval: askEvery(30_000) });
  return (
    <Section
      title={t('latest')}
      actions={
        <PageLink size="sm" to="/apps/$appId/live" params={{ appId }}>
          {t('watch')}
        </PageLink>
      }
    >
      <Loaded query={query} rows={LATEST}>
        {({ events }) => (events.length === 0 ? <Text size="sm">{t('noEvents')}</Text> : <LiveList items={events} />)}
      </Loaded>
    </Section>
  );
}
