import type { paths } from '@landfall/api-client';
import { Group, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client, useMay } from '../../../api/index.ts';
import { useFilterNames } from '../../../parts/analytics/choices/use-filter-names.ts';
import { type View, viewOf } from '../../../parts/analytics/view.ts';
import { RowConfirm, rowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { PageButton } from '../../../parts/page/links.tsx';
import { Loaded, NotAllowed, Page } from '../../../parts/page/page.tsx';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/shares')({ component: Shares });

type Share =
  paths['/api/manage/apps/{appId}/shares']['get']['responses'][200]['content']['application/json']['shares'][number];

function Shares() {
  const t = useTranslations('shares');
  const { appId } = Route.useParams();
  if (!useMay('member')) return <NotAllowed title={t('title')} needs="member" />;
  return (
    <Page
      title={t('title')}
      actions={
        <PageButton to="/apps/$appId/analytics" params={{ appId }}>
          {t('toShare')}
        </PageButton>
      }
    >
      <Text size="md">{t('intro')}</Text>
      <List appId={appId} />
    </Page>
  );
}

const hasEnded = ({ expiresAt }: Share): boolean => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

function List({ appId }: { appId: string }) {
  const t = useTranslations('shares');
  const query = api.useQuery('get', '/api/manage/apps/{appId}/shares', { params: { path: { appId } } });
  const stateOf = (share: Share) => (hasEnded(share) ? 'ended' : share.hasPassword ? 'password' : 'open');
  return (
    <Loaded query={query}>
      {({ shares }) =>
        shares.length === 0 ? (
          <Text size="md">{t('empty')}</Text>
        ) : (
          <DataTable
            t={t}
            minWidth={820}
            rows={shares}
            columns={{
              what: { cell: (share) => <What of={share} />, maw: 260, style: { overflowWrap: 'anywhere' } },
              state: (share) => t(`states.${stateOf(share)}`),
              expires: ({ expiresAt }) => (expiresAt === null ? t('never') : <Ago at={expiresAt} />),
              lastUsed: ({ lastUsedAt }) => (lastUsedAt === null ? t('notYet') : <Ago at={lastUsedAt} />),
              maker: ({ createdBy }) =>
                createdBy === null ? t('operator') : <bdi>{createdBy.name ?? t('unknown')}</bdi>,
              actions: (share) => <Actions of={share} />,
            }}
          />
        )
      }
    </Loaded>
  );
}

/** The title, what viewers see, and when it was made: two shares may have the same title and figures. */
function What({ of: { name, view, createdAt } }: { of: Share }) {
  const t = useTranslations('shares');
  const words = useTranslations('analytics');
  const filterNames = view.filter.map(useFilterNames(view.filter));
  const days = view.from === null ? words(`ranges.${view.range}`) : `${view.from} – ${view.to}`;
  return (
    <>
      <bdi>{name}</bdi>
      <Text c="dimmed">{[words(`metrics.${view.metric}`), days, ...filterNames].join(' · ')}</Text>
      <Text component="div" c="dimmed">
        {t('madeAt')} <Ago at={createdAt} />
      </Text>
    </>
  );
}

function Actions({ of: share }: { of: Share }) {
  const t = useTranslations('shares');
  const { id: shareId, appId, name } = share;
  const revoke = () =>
    client.DELETE('/api/manage/apps/{appId}/shares/{shareId}', { params: { path: { appId, shareId } } });
  return (
    <Group gap="xs" wrap="nowrap">
      <PageButton {...rowButton} to="/apps/$appId/analytics" params={{ appId }} search={searchOf(share)}>
        {t('view')}
      </PageButton>
      <RowConfirm act="revoke" t={t} of={{ name }} onConfirm={revoke} />
    </Group>
  );
}

/** The page of analytics with what the share shows. */
const searchOf = ({ view: { compare, from, to, ...view } }: Share): View =>
  viewOf({ ...view, ...(from && { from }), ...(to && { to }), compare: compare ?? 'none' });
