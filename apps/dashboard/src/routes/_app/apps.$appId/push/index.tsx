import type { Notification } from '@landfall/api-client';
import { Badge, Table, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../../api/apps.ts';
import { api } from '../../../../api/client.ts';
import { PageButton, PageLink } from '../../../../parts/page/links.tsx';
import { Loaded } from '../../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../../parts/page/more.tsx';
import { Page } from '../../../../parts/page/page.tsx';
import { COLORS } from '../../../../parts/push/figures.ts';
import { useMay } from '../../../../parts/roles.ts';
import { Ago } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/push/')({ component: Pushes });

function Pushes() {
  const t = useTranslations('push');
  const { appId } = Route.useParams();
  const { timeZone } = useApp(appId);
  const maySend = useMay(appId, 'member');
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/apps/{appId}/notifications',
    { params: { path: { appId }, query: { limit: 50 } } },
    cursorPages,
  );
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
        {({ pages }) => {
          const pushes = pages.flatMap((page) => page.notifications);
          if (pushes.length === 0) return <Text>{t('empty')}</Text>;
          return (
            <Table.ScrollContainer minWidth={720}>
              <Table highlightOnHover verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('titleField')}</Table.Th>
                    <Table.Th>{t('status')}</Table.Th>
                    <Table.Th>{t('time')}</Table.Th>
                    <Table.Th ta="right">{t('targeted')}</Table.Th>
                    <Table.Th ta="right">{t('results.sent')}</Table.Th>
                    <Table.Th ta="right">{t('results.failed')}</Table.Th>
                    <Table.Th ta="right">{t('results.opened')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {pushes.map((push) => (
                    <Row key={push.id} push={push} timeZone={timeZone} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          );
        }}
      </Loaded>
      <More query={query} />
    </Page>
  );
}

function Row({ push, timeZone }: { push: Notification; timeZone: string }) {
  const t = useTranslations('push');
  const format = useFormatter();
  const { id, appId, message, status, sendAt, targeted, counts } = push;
  return (
    <Table.Tr>
      <Table.Td maw={320}>
        <PageLink size="sm" to="/apps/$appId/push/$notificationId" params={{ appId, notificationId: id }}>
          {message.title || t('untitled')}
        </PageLink>
      </Table.Td>
      <Table.Td>
        <Badge color={COLORS[status]}>{t(`statuses.${status}`)}</Badge>
      </Table.Td>
      <Table.Td>
        <Ago at={sendAt} timeZone={timeZone} />
      </Table.Td>
      <Table.Td ta="right">{format.number(targeted)}</Table.Td>
      <Table.Td ta="right">{format.number(counts.sent)}</Table.Td>
      <Table.Td ta="right">{format.number(counts.failed)}</Table.Td>
      <Table.Td ta="right">{format.number(counts.opened)}</Table.Td>
    </Table.Tr>
  );
}
