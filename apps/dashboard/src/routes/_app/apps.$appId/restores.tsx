import { linkNameOf } from '@landfall/api-client/link-name';
import { Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/index.ts';
import { linkQuery } from '../../../parts/links/queries.ts';
import { PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page, Section } from '../../../parts/page/page.tsx';
import { type Filters, queryOf, RestoreFilters, readFilters } from '../../../parts/restores/filters.tsx';
import { RESTORES, RestoreCard } from '../../../parts/restores/restore-card.tsx';
import { useView } from '../../../parts/views/address.ts';
import { useSearched } from '../../../parts/views/searched.ts';

export const Route = createFileRoute('/_app/apps/$appId/restores')({
  validateSearch: readFilters,
  component: Restores,
});

const ViewsMenu = lazyRouteComponent(() => import('../../../parts/views/views-menu.tsx'), 'ViewsMenu');

function Restores() {
  const t = useTranslations('restores');
  const { appId } = Route.useParams();
  const filters = useView(Route, readFilters);
  const navigate = Route.useNavigate();
  const [search, setSearch] = useSearched();
  const asked = useMemo(() => queryOf(filters, search), [filters, search]);
  const params = { path: { appId }, query: { limit: 30, ...asked } };
  const query = api.useInfiniteQuery('get', RESTORES, { params }, cursorPages);
  const change = (changed: Filters) =>
    void navigate({ search: (before) => readFilters({ ...before, ...changed }), state: true, replace: true });
  const { data: filtered } = useQuery({
    ...linkQuery(filters.link ?? ''),
    enabled: filters.link !== undefined,
    retry: false,
  });
  return (
    <Page
      title={t('title')}
      actions={
        <Suspense fallback={<Skeleton w={98} h={36} />}>
          <ViewsMenu page="restores" />
        </Suspense>
      }
    >
      <Text size="md">{t('intro')}</Text>
      <RestoreFilters
        filters={filters}
        search={search}
        link={filtered && linkNameOf(filtered.link)}
        onChange={change}
        onSearch={setSearch}
      />
      <Loaded query={query}>
        {({ restores, links, keys }) => {
          if (restores.length === 0)
            return <Text size="md">{Object.keys(asked).length > 0 ? t('noMatch') : t('empty')}</Text>;
          const linksById = new Map(links.map((link) => [link.id, link]));
          const keysById = new Map(keys.map((key) => [key.id, key]));
          return (
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {restores.map((restore) => (
                <RestoreCard
                  key={restore.id}
                  restore={restore}
                  links={linksById}
                  keys={keysById}
                  opened={restores.length === 1}
                />
              ))}
            </Stack>
          );
        }}
      </Loaded>
      {/* Below rows that are not there yet, it would move. */}
      {query.data !== undefined && <Missing appId={appId} />}
    </Page>
  );
}

/** Why a start has no row. */
function Missing({ appId }: { appId: string }) {
  const t = useTranslations('restores.missing');
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <List size="sm" spacing={4}>
        {(['request', 'later', 'shared', 'old'] as const).map((cause) => (
          <List.Item key={cause}>{t(`causes.${cause}`)}</List.Item>
        ))}
      </List>
      <Group gap="md">
        <PageLink size="sm" to="/apps/$appId/set-up" params={{ appId }}>
          {t('setUp')}
        </PageLink>
        <PageLink size="sm" to="/apps/$appId/live" params={{ appId }}>
          {t('live')}
        </PageLink>
        <PageLink size="sm" to="/docs/$" params={{ _splat: 'explanation/matching' }}>
          {t('docs')}
        </PageLink>
      </Group>
    </Section>
  );
}
