import { linkNameOf } from '@landfall/api-client/link-name';
import { PRESETS, type Preset } from '@landfall/api-client/ranges';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { api, useMay, useMe } from '../../../../api/index.ts';
import { AuditList } from '../../../../parts/audit/audit-list.tsx';
import { useArchive } from '../../../../parts/links/archive.tsx';
import { EditLink } from '../../../../parts/links/link-form.tsx';
import { LinkFacts } from '../../../../parts/links/page/facts.tsx';
import { Installs } from '../../../../parts/links/page/installs.tsx';
import { RealPage } from '../../../../parts/links/page/real-page.tsx';
import { Taps } from '../../../../parts/links/page/taps.tsx';
import { QrCode } from '../../../../parts/links/qr-code.tsx';
import { linkQuery, stateOf } from '../../../../parts/links/queries.ts';
import { PageButton } from '../../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page, Section, Waiting } from '../../../../parts/page/page.tsx';
import { useView } from '../../../../parts/views/address.ts';

interface Search {
  /** The days of the figures. Left out: 30. */
  range?: Exclude<Preset, '30'>;
  /** The id of the tap that somebody looks for. */
  tap?: string;
}

function searchOf({ range, tap }: Record<string, unknown>): Search {
  const known = PRESETS.find((one) => one === String(range));
  return {
    ...(known !== undefined && known !== '30' && { range: known }),
    ...(typeof tap === 'string' && { tap }),
  };
}

export const Route = createFileRoute('/_app/apps/$appId/links/$linkId')({
  validateSearch: searchOf,
  loader: ({ context: { queries }, params: { linkId } }) => queries.ensureQueryData(linkQuery(linkId)),
  component: LinkPage,
});

// The figures bring much code.
const LinkFigures = lazyRouteComponent(() => import('../../../../parts/links/page/link-figures.tsx'), 'LinkFigures');

function LinkPage() {
  const t = useTranslations('link');
  const { linkId } = Route.useParams();
  const { range = '30', tap } = useView(Route, searchOf);
  const navigate = Route.useNavigate();
  const { link } = useSuspenseQuery(linkQuery(linkId)).data;
  const mayEdit = useMay('member');
  // A visitor of a demo sees no people.
  const isVisitor = useMe().kind === 'visitor';
  const state = stateOf(link);
  const onRange = (range: Preset) =>
    void navigate({ search: range === '30' ? {} : { range }, replace: true, resetScroll: false });
  return (
    <Page
      title={linkNameOf(link)}
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
      {state !== 'live' && <Alert color="yellow" title={t(state === 'archived' ? 'isArchived' : 'isExpired')} />}
      <Group align="flex-start" gap="var(--mantine-spacing-md) var(--mantine-spacing-xl)">
        <QrCode url={link.url} name={link.name ?? ''} isSide />
        <Stack flex={1} miw={280}>
          <LinkFacts link={link} />
        </Stack>
      </Group>
      <Suspense fallback={<Waiting rows={12} />}>
        <LinkFigures linkId={linkId} range={range} onRange={onRange} />
      </Suspense>
      <Taps link={link} wanted={tap} />
      <Installs linkId={linkId} />
      <RealPage link={link} />
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
  const archive = useArchive(linkId);
  const button = useRef<HTMLButtonElement>(null);
  const { isPending } = archive;
  const wasPending = useRef(false);
  // While it waits it is disabled, which takes the focus away.
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body) button.current?.focus();
    wasPending.current = isPending;
  }, [isPending]);
  return (
    <Button ref={button} variant="default" onClick={() => archive.mutate(!archived)} loading={isPending}>
      {archived ? t('restore') : t('archive')}
    </Button>
  );
}
