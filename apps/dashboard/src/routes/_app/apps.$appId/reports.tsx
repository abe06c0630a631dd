import { Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, useApp, useMay } from '../../../api/index.ts';
import { Loaded, NotAllowed, Page } from '../../../parts/page/page.tsx';
import { Alerts } from '../../../parts/reports/alerts.tsx';
import { Channels } from '../../../parts/reports/channels.tsx';
import { Messages } from '../../../parts/reports/messages.tsx';
import { Reports } from '../../../parts/reports/reports.tsx';

export const Route = createFileRoute('/_app/apps/$appId/reports')({ component: ReportsPage });

/** What is sent to people: where to, what and when, and what became of it. */
function ReportsPage() {
  const t = useTranslations('reports');
  const mayChange = useMay('member');
  return mayChange ? <Whole /> : <NotAllowed title={t('title')} needs="member" />;
}

function Whole() {
  const t = useTranslations('reports');
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/channels', { params: { path: { appId } } });
  return (
    <Page title={t('title')}>
      <Text size="md">{t('intro')}</Text>
      <Loaded query={query} rows={12}>
        {({ channels, mail }) => (
          <>
            <Channels channels={channels} mail={mail} />
            <Reports channels={channels} />
            <Alerts channels={channels} />
            <Messages channels={channels} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
