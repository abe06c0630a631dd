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
  const path = { params: { path: { appId } } };
  const channels = api.useQuery('get', '/api/manage/apps/{appId}/channels', path);
  const reports = api.useQuery('get', '/api/manage/apps/{appId}/reports', path);
  const alerts = api.useQuery('get', '/api/manage/apps/{appId}/alerts', path);
  // A list that came later would move those below it.
  const missing = [reports, alerts].find(({ data }) => data === undefined);
  return (
    <Page title={t('title')}>
      <Text size="md">{t('intro')}</Text>
      <Loaded query={missing ? { ...missing, data: undefined } : channels} rows={12}>
        {({ channels, mail }) => {
          const hasChannel = channels.length > 0;
          // Their keys keep the window in which the first channel was made.
          const place = <Channels key="channels" channels={channels} mail={mail} />;
          return [
            !hasChannel && place,
            <Reports key="reports" channels={channels} />,
            <Alerts key="alerts" channels={channels} />,
            hasChannel && place,
            <Messages key="messages" channels={channels} />,
          ];
        }}
      </Loaded>
    </Page>
  );
}
