import { Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, useApp, useMay } from '../../../api/index.ts';
import { AuditList } from '../../../parts/audit/audit-list.tsx';
import { auditSearch } from '../../../parts/audit/audit-search.ts';
import { AuditFilters, useAsked } from '../../../parts/audit/filters.tsx';
import { CsvButton } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, NotAllowed, Page } from '../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/apps/$appId/audit')({
  validateSearch: ({ team, ...rest }: Record<string, unknown>) => ({
    ...auditSearch(rest),
    // The whole team, not only this app.
    ...(team === true && { team }),
  }),
  component: Audit,
});

function Audit() {
  const t = useTranslations('audit');
  if (!useMay('admin')) return <NotAllowed title={t('title')} needs="admin" />;
  return <Changes />;
}

function Changes() {
  const t = useTranslations('audit');
  const { team = false, ...rest } = Route.useSearch();
  const asked = useAsked(rest);
  const navigate = Route.useNavigate();
  const { id: appId, teamId, name } = useApp();
  const filters = { ...(!team && { appId }), ...asked };
  const params = { path: { teamId: teamId! }, query: { limit: 50, ...filters } };
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/teams/{teamId}/audit',
    { params },
    { ...cursorPages, enabled: teamId !== null },
  );
  const { data: people } = useQuery({
    ...api.queryOptions('get', '/api/manage/teams/{teamId}/members', { params: { path: { teamId: teamId! } } }),
    enabled: teamId !== null,
  });
  const exported = `/api/manage/teams/${teamId}/audit/export?${new URLSearchParams({ format: 'csv', ...filters })}`;
  return (
    <Page title={t('title')} actions={<CsvButton href={exported} />}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Select
          label={t('of')}
          data={[
            { value: 'app', label: t('ofApp', { name }) },
            { value: 'team', label: t('ofTeam') },
          ]}
          value={team ? 'team' : 'app'}
          onChange={(value) =>
            void navigate({ search: (before) => ({ ...before, team: value === 'team' || undefined }), replace: true })
          }
        />
        <AuditFilters
          {...rest}
          scope={team ? 'team' : 'app'}
          people={people?.members.map(({ userId, name }) => ({ value: userId, label: name })) ?? []}
          onChange={(to) => void navigate({ search: (before) => ({ ...before, ...to }), replace: true })}
        />
      </SimpleGrid>
      <Loaded query={query} rows={10}>
        {({ entries }) => <AuditList entries={entries} />}
      </Loaded>
    </Page>
  );
}
