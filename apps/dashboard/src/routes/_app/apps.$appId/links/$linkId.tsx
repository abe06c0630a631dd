import { Badge, Button, Code, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../../api/apps.ts';
import { api, client } from '../../../../api/client.ts';
import { askEvery } from '../../../../api/queries.ts';
import { meQuery } from '../../../../api/session.ts';
import { AuditList } from '../../../../parts/audit/audit-list.tsx';
import { CopyLine } from '../../../../parts/copy.tsx';
import { EditLink } from '../../../../parts/links/edit-link.tsx';
import { stateOf } from '../../../../parts/links/link-state.ts';
import { QrCode } from '../../../../parts/links/qr-code.tsx';
import { HISTORY, linkChanged, linkQuery } from '../../../../parts/links/queries.ts';

import { SocialPreview } from '../../../../parts/links/social-preview.tsx';
import { PageButton } from '../../../../parts/page/links.tsx';

import { Loaded } from '../../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../../parts/page/more.tsx';
import { Page } from '../../../../parts/page/page.tsx';
import { Section } from '../../../../parts/page/section.tsx';
import { useFailureToast } from '../../../../parts/page/use-failure-toast.ts';
import { useMay } from '../../../../parts/roles.ts';
import { Ago } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/links/$linkId')({
  loader: ({ context: { queries }, params: { linkId } }) => queries.ensureQueryData(linkQuery(linkId)),
  component: LinkPage,
});

const Chart = lazy(() => import('../../../../parts/chart.tsx').then(({ Chart }) => ({ default: Chart })));

function LinkPage() {
  const t = useTranslations('link');
  const { appId, linkId } = Route.useParams();
  const { name, timeZone } = useApp(appId);
  const { link } = useSuspenseQuery(linkQuery(linkId)).data;
  const mayEdit = useMay(appId, 'member');
  // A visitor of a demo sees no people.
  const isVisitor = useSuspenseQuery(meQuery()).data.kind === 'visitor';
  const state = stateOf(link);
  return (
    <Page
      title={link.slug}
      actions={
        <>
          <PageButton to="/try" search={{ link: link.url }} variant="default">
            {t('try')}
          </PageButton>
          {mayEdit && (
            <>
              <EditLink link={link} />
              <ArchiveButton linkId={linkId} archived={link.archivedAt !== null} />
            </>
          )}
        </>
      }
    >
      <Group align="flex-start" gap="xl">
        <QrCode url={link.url} />
        <Stack flex={1} miw={280} gap="xs">
          <CopyLine value={link.url} label={t('copy')} />
          <Table variant="vertical" layout="fixed">
            <Table.Tbody>
              <Table.Tr>
                <Table.Th w={140}>{t('destination')}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{link.destination}</Table.Td>
              </Table.Tr>
              <Table.Tr>
                <Table.Th>{t('state')}</Table.Th>
                <Table.Td>
                  <Badge color={state === 'live' ? 'teal.9' : 'gray.8'}>{t(`states.${state}`)}</Badge>
                </Table.Td>
              </Table.Tr>
              <Table.Tr>
                <Table.Th>{t('created')}</Table.Th>
                <Table.Td>
                  <Ago at={link.createdAt} timeZone={timeZone} />
                </Table.Td>
              </Table.Tr>
              {link.expiresAt !== null && (
                <Table.Tr>
                  <Table.Th>{t('expires')}</Table.Th>
                  <Table.Td>
                    <Ago at={link.expiresAt} timeZone={timeZone} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Table.Tbody>
          </Table>
          <div>
            <Text size="sm" fw={600}>
              {t('preview')}
            </Text>
            <SocialPreview appName={name} metadata={link.metadata} />
          </div>
          {Object.keys(link.metadata).length > 0 && (
            <div>
              <Text size="sm" fw={600}>
                {t('metadata')}
              </Text>
              <Code block tabIndex={0} role="region" aria-label={t('metadata')}>
                {JSON.stringify(link.metadata, null, 2)}
              </Code>
            </div>
          )}
        </Stack>
      </Group>
      <Figures appId={appId} linkId={linkId} />
      {!isVisitor && <History linkId={linkId} timeZone={timeZone} />}
    </Page>
  );
}

/** What was changed, by whom and when. */
function History({ linkId, timeZone }: { linkId: string; timeZone: string }) {
  const t = useTranslations('link');
  const history = api.useInfiniteQuery('get', HISTORY, { params: { path: { linkId } } }, cursorPages);
  return (
    <Section title={t('history')}>
      <Loaded query={history} rows={2}>
        {({ pages }) => (
          <>
            <AuditList entries={pages.flatMap(({ entries }) => entries)} timeZone={timeZone} empty={t('noHistory')} />
            <More query={history} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Archives at once, with a way back. */
function ArchiveButton({ linkId, archived }: { linkId: string; archived: boolean }) {
  const t = useTranslations('link');
  const { queries } = Route.useRouteContext();
  const tell = useFailureToast();
  const edit = useMutation({
    mutationFn: (to: boolean) =>
      client.PATCH('/api/manage/links/{linkId}', { params: { path: { linkId } }, body: { archived: to } }),
    async onSuccess(_, to) {
      await linkChanged(queries, linkId);
      const id = `archived-${linkId}`;
      notifications.hide(id);
      if (!to) return;
      const undo = () => {
        notifications.hide(id);
        edit.mutate(false);
      };
      notifications.show({
        id,
        autoClose: 10_000,
        title: t('wasArchived'),
        message: (
          <Button size="compact-sm" variant="default" onClick={undo}>
            {t('undo')}
          </Button>
        ),
      });
    },
    onError: tell,
  });
  return (
    <Button variant="default" onClick={() => edit.mutate(!archived)} loading={edit.isPending}>
      {archived ? t('restore') : t('archive')}
    </Button>
  );
}

const METRICS = ['clicks', 'storeRedirects', 'attributedInstalls', 'opens'] as const;

function Figures({ appId, linkId }: { appId: string; linkId: string }) {
  const t = useTranslations('link');
  return (
    <Section title={t('figures')}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} mb="md">
        {METRICS.map((metric) => (
          <Total key={metric} appId={appId} linkId={linkId} metric={metric} />
        ))}
      </SimpleGrid>
      <Clicks appId={appId} linkId={linkId} />
    </Section>
  );
}

const figures = (appId: string, linkId: string, metric: (typeof METRICS)[number]) =>
  api.queryOptions(
    'get',
    '/api/manage/apps/{appId}/analytics',
    { params: { path: { appId }, query: { metric, filter: [`link:${linkId}`] } } },
    { refetchInterval: askEvery(30_000) },
  );

function Total({ appId, linkId, metric }: { appId: string; linkId: string; metric: (typeof METRICS)[number] }) {
  const t = useTranslations('link');
  const format = useFormatter();
  const { data } = useQuery(figures(appId, linkId, metric));
  return (
    <div>
      <Text size="sm">{t(`metrics.${metric}`)}</Text>
      <Text size="lg" fw={700}>
        {data ? format.number(data.total) : '…'}
      </Text>
    </div>
  );
}

function Clicks({ appId, linkId }: { appId: string; linkId: string }) {
  const t = useTranslations('link');
  const format = useFormatter();
  const { data } = useQuery(figures(appId, linkId, 'clicks'));
  const chart = useMemo(() => {
    if (!data) return null;
    const times = data.buckets.map(({ from }) => from);
    const { timeZone, values } = data;
    return {
      times,
      names: times.map((time) => format.dateTime(new Date(time), { month: 'short', day: 'numeric', timeZone })),
      series: [{ name: t('metrics.clicks'), values }],
    };
  }, [data, format, t]);
  return (
    <div style={{ minHeight: 260 }}>
      <Suspense>{chart && <Chart label={t('chartLabel', { total: data!.total })} {...chart} />}</Suspense>
    </div>
  );
}
