import type { Notification } from '@landfall/api-client';
import { Badge } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { useMay } from '../../../../api/apps.ts';
import { api } from '../../../../api/client.ts';
import { type Columns, DataTable } from '../../../../parts/page/data-table.tsx';
import { PageButton, PageLink } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../../parts/page/page.tsx';
import { COLORS } from '../../../../parts/push/notification.ts';
import { Ago } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/push/')({ component: Pushes });

function Pushes() {
  const t = useTranslations('push');
  const format = useFormatter();
  const { appId } = Route.useParams();
  const maySend = useMay(appId, 'member');
  const params = { path: { appId }, query: { limit: 50 } };
  const query = api.useInfiniteQuery('get', '/api/manage/apps/{appId}/notifications', { params }, cursorPages);
  const columns: Columns<Notification> = [
    {
      heading: t('titleField'),
      maw: 320,
      cell: ({ id, message }) => (
        <PageLink size="sm" to="/apps/$appId/push/$notificationId" params={{ appId, notificationId: id }}>
          {message.title || t('untitled')}
        </PageLink>
      ),
    },
    {
      heading: t('status'),
      cell: ({ status }) => <Badge color={COLORS[status]}>{t(`statuses.${status}`)}</Badge>,
    },
    { heading: t('time'), cell: ({ sendAt }) => <Ago at={sendAt} /> },
    { heading: t('targeted'), ta: 'right', cell: ({ targeted }) => format.number(targeted) },
    { heading: t('results.sent'), ta: 'right', cell: ({ counts }) => format.number(counts.sent) },
    { heading: t('results.failed'), ta: 'right', cell: ({ counts }) => format.number(counts.failed) },
    { heading: t('results.opened'), ta: 'right', cell: ({ counts }) => format.number(counts.opened) },
  ];
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <PageButton to="/apps/$appId/push/credentials" params={{ appId }} variant="default">
            {t('credentials')}
          </PageButton>
          {maySend && (
            <PageButton to="/apps/$appId/push/new" params={{ appId }} leftSection={<Plus size={16} aria-hidden />}>
              {t('new')}
            </PageButton>
          )}
        </>
      }
    >
      <Loaded query={query} rows={10}>
        {({ pages }) => (
          <DataTable
            highlightOnHover
            minWidth={720}
            rows={pages.flatMap(({ notifications }) => notifications)}
            rowKey="id"
            empty={t('empty')}
            columns={columns}
          />
        )}
      </Loaded>
    </Page>
  );
}
