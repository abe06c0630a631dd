import { Badge, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client, useApp, useMay, useMe } from '../../../../api/index.ts';
import { Figure, figuresOf } from '../../../../parts/analytics/figures.tsx';
import { AuditList } from '../../../../parts/audit/audit-list.tsx';
import { CopyLine } from '../../../../parts/copy.tsx';
import { Lines } from '../../../../parts/lines.tsx';
import { SocialPreview } from '../../../../parts/links/builder/social-fields.tsx';
import { tellArchived } from '../../../../parts/links/bulk-archive.tsx';
import { EditLink } from '../../../../parts/links/link-form.tsx';
import { QrCode } from '../../../../parts/links/qr-code.tsx';
import { linkQuery, stateOf } from '../../../../parts/links/queries.ts';
import { pairsOf } from '../../../../parts/links/values/metadata.ts';
import { Facts } from '../../../../parts/page/data-table.tsx';
import { PageButton } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page, Section } from '../../../../parts/page/page.tsx';
import { useCommand } from '../../../../parts/page/use-command.ts';
import { Ago } from '../../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/links/$linkId')({
  loader: ({ context: { queries }, params: { linkId } }) => queries.ensureQueryData(linkQuery(linkId)),
  component: LinkPage,
});

function LinkPage() {
  const t = useTranslations('link');
  const links = useTranslations('links');
  const { linkId } = Route.useParams();
  const { link } = useSuspenseQuery(linkQuery(linkId)).data;
  const mayEdit = useMay('member');
  // A visitor of a demo sees no people.
  const isVisitor = useMe().kind === 'visitor';
  const state = stateOf(link);
  return (
    <Page
      title={link.name ?? link.slug}
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
        <QrCode url={link.url} name={link.name ?? ''} />
        <Stack flex={1} miw={280} gap="xs">
          <CopyLine value={link.url} label={t('copy')} />
          <Facts
            width={140}
            of={{
              [t('destination')]: link.destination,
              [t('state')]: <Badge color={state === 'live' ? 'teal.9' : 'gray.8'}>{links(`states.${state}`)}</Badge>,
              [t('created')]: <Ago at={link.createdAt} />,
              ...(link.expiresAt !== null && { [t('expires')]: <Ago at={link.expiresAt} /> }),
            }}
          />
          <div>
            <Text fw={600}>{t('preview')}</Text>
            <SocialPreview metadata={pairsOf(link.metadata)} />
          </div>
          {Object.keys(link.metadata).length > 0 && (
            <div>
              <Text fw={600}>{t('metadata')}</Text>
              <Code block tabIndex={0} role="region" aria-label={t('metadata')}>
                {JSON.stringify(link.metadata, null, 2)}
              </Code>
            </div>
          )}
        </Stack>
      </Group>
      <Figures linkId={linkId} />
      {!isVisitor && <History linkId={linkId} />}
    </Page>
  );
}

function History({ linkId }: { linkId: string }) {
  const t = useTranslations('link');
  const params = { path: { linkId } };
  const history = api.useInfiniteQuery('get', '/api/manage/links/{linkId}/history', { params }, cursorPages);
  return (
    <Section title={t('history')}>
      <Loaded query={history} rows={2}>
        {({ entries }) => <AuditList entries={entries} empty={t('noHistory')} />}
      </Loaded>
    </Section>
  );
}

/** Archives at once, with a way back. */
function ArchiveButton({ linkId, archived }: { linkId: string; archived: boolean }) {
  const t = useTranslations('link');
  const edit = useCommand(async (archived: boolean): Promise<void> => {
    await client.PATCH('/api/manage/links/{linkId}', { params: { path: { linkId } }, body: { archived } });
    if (archived) tellArchived(linkId, t('wasArchived'), t('undo'), () => edit.mutate(false));
    else notifications.hide(linkId);
  });
  return (
    <Button variant="default" onClick={() => edit.mutate(!archived)} loading={edit.isPending}>
      {archived ? t('restore') : t('archive')}
    </Button>
  );
}

const METRICS = ['clicks', 'storeRedirects', 'attributedInstalls', 'opens'] as const;

function Figures({ linkId }: { linkId: string }) {
  const t = useTranslations('link');
  const { id: appId } = useApp();
  const { data: clicks } = useQuery(figuresOf(appId, 'clicks', linkId));
  const label = t('chartLabel', { total: clicks?.total ?? 0 });
  return (
    <Section title={t('figures')}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} mb="md">
        {METRICS.map((metric) => (
          <Figure key={metric} name={t(`metrics.${metric}`)} of={figuresOf(appId, metric, linkId)} />
        ))}
      </SimpleGrid>
      <Lines figures={clicks} name={t('metrics.clicks')} label={label} />
    </Section>
  );
}
