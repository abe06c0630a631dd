import type { Notification } from '@landfall/api-client';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { api, useMay } from '../../../../api/index.ts';
import { DataTable } from '../../../../parts/page/data-table.tsx';
import { PageButton, PageLink } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../../parts/page/page.tsx';
import { isKnown, openRate, providersQuery } from '../../../../parts/push/notification.ts';
import { PushTime } from '../../../../parts/push/push-time.tsx';
import { NoCredentials } from '../../../../parts/push/set-credentials.tsx';
import { RATE } from '../../../../parts/rate.ts';
import { State } from '../../../../parts/states/state.tsx';
import { states } from '../../../../parts/states/states.ts';

export const Route = createFileRoute('/_app/apps/$appId/push/')({ component: Pushes });

function Pushes() {
  const t = useTranslations('push');
  const format = useFormatter();
  const { appId } = Route.useParams();
  const maySend = useMay('member');
  const providers = useQuery(providersQuery(appId));
  const params = { path: { appId }, query: { limit: 50 } };
  const query = api.useInfiniteQuery('get', '/api/manage/apps/{appId}/notifications', { params }, cursorPages);
  const countOf = (push: Notification, result: 'sent' | 'failed' | 'opened') =>
    isKnown(push) ? format.number(push.counts[result]) : '–';
  const rateOf = (push: Notification) => {
    const rate = openRate(push);
    return rate === null ? '–' : format.number(rate, RATE);
  };
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
      <Loaded query={providers.isFetched ? query : { data: undefined, error: null }} rows={10}>
        {({ notifications }) => (
          <>
            <NoCredentials appId={appId} />
            <DataTable
              t={t}
              highlightOnHover
              minWidth={720}
              rows={notifications}
              empty={t('empty')}
              columns={{
                titleField: {
                  maw: 320,
                  cell: ({ id, message }) => (
                    <>
                      <PageLink
                        size="sm"
                        data-row
                        to="/apps/$appId/push/$notificationId"
                        params={{ appId, notificationId: id }}
                      >
                        {message.title || t('untitled')}
                      </PageLink>
                      {message.test && (
                        <Text span c="dimmed">
                          {' '}
                          · {t('isTest')}
                        </Text>
                      )}
                    </>
                  ),
                },
                status: (push) => <State words={states.push} of={push} t={(word) => t(`statuses.${word}`)} />,
                time: (push) => <PushTime push={push} />,
                targeted: {
                  ta: 'right',
                  cell: ({ status, targeted }) => (status === 'cancelled' ? '–' : format.number(targeted)),
                },
                'results.sent': { ta: 'right', cell: (push) => countOf(push, 'sent') },
                'results.failed': { ta: 'right', cell: (push) => countOf(push, 'failed') },
                'results.opened': { ta: 'right', cell: (push) => countOf(push, 'opened') },
                rate: { ta: 'right', cell: (push) => rateOf(push) },
              }}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
