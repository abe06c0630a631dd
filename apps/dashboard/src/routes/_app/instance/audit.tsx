import { Select, SimpleGrid, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/index.ts';
import { AuditList } from '../../../parts/audit/audit-list.tsx';
import { auditSearch } from '../../../parts/audit/audit-search.ts';
import { AuditFilters, useAsked } from '../../../parts/audit/filters.tsx';
import { CsvButton } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';

export const Route = createFileRoute('/_app/instance/audit')({
  validateSearch: ({ teamId, ...rest }: Record<string, unknown>) => ({
    ...auditSearch(rest),
    ...(typeof teamId === 'string' && { teamId }),
  }),
  component: InstanceAudit,
});

function InstanceAudit() {
  const t = useTranslations('audit');
  const { teamId, ...rest } = Route.useSearch();
  const asked = useAsked(rest);
  const filters = { ...(teamId && { teamId }), ...asked };
  const navigate = Route.useNavigate();
  const params = { query: { limit: 50, ...filters } };
  const query = api.useInfiniteQuery('get', '/api/manage/audit', { params }, cursorPages);
  // As many as a list of choices can show.
  const most = { params: { query: { limit: 100 } } };
  const { data: teams } = api.useQuery('get', '/api/manage/teams', most);
  const { data: people } = api.useQuery('get', '/api/manage/people', most);
  const change = (to: object) => void navigate({ search: (before) => ({ ...before, ...to }), replace: true });
  const exported = `/api/manage/audit/export?${new URLSearchParams({ format: 'csv', ...filters })}`;
  return (
    <Page title={t('ofInstance')} actions={<CsvButton href={exported} />}>
      <Text size="md">{t('instanceIntro')}</Text>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Select
          label={t('team')}
          placeholder={t('anyTeam')}
          clearable
          allowDeselect
          searchable
          data={[
            { value: 'none', label: t('noTeam') },
            ...(teams?.teams.map(({ id, name }) => ({ value: id, label: name })) ?? []),
          ]}
          value={filters.teamId ?? null}
          onChange={(value) => change({ teamId: value ?? undefined })}
        />
        <AuditFilters
          {...rest}
          scope={teamId === undefined || teamId === 'none' ? 'instance' : 'team'}
          people={people?.people.map(({ id, email }) => ({ value: id, label: email })) ?? []}
          onChange={change}
        />
      </SimpleGrid>
      <Loaded query={query} rows={10}>
        {({ entries }) => <AuditList entries={entries} />}
      </Loaded>
    </Page>
  );
}
