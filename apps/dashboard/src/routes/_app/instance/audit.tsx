import { Button, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/client.ts';
import { AuditList } from '../../../parts/audit/audit-list.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../parts/page/more.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { browserZone } from '../../../parts/time.tsx';

interface Filters {
  teamId?: string;
  userId?: string;
}

/** As many as a list of choices can show. */
const MOST = 100;

export const Route = createFileRoute('/_app/instance/audit')({
  validateSearch: ({ teamId, userId }: Record<string, unknown>): Filters => ({
    ...(typeof teamId === 'string' && { teamId }),
    ...(typeof userId === 'string' && { userId }),
  }),
  component: InstanceAudit,
});

function InstanceAudit() {
  const t = useTranslations('audit');
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/audit',
    { params: { query: { limit: 50, ...filters } } },
    cursorPages,
  );
  const most = { params: { query: { limit: MOST } } };
  const { data: teams } = useQuery(api.queryOptions('get', '/api/manage/teams', most));
  const { data: people } = useQuery(api.queryOptions('get', '/api/manage/people', most));
  const change = (to: { [name in keyof Filters]: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...to }), replace: true });
  const exported = `/api/manage/audit/export?${new URLSearchParams({ format: 'csv', ...filters })}`;
  return (
    <Page
      title={t('ofInstance')}
      actions={
        <Button component="a" variant="default" leftSection={<Download size={16} aria-hidden />} href={exported}>
          {t('csv')}
        </Button>
      }
    >
      <Text>{t('instanceIntro')}</Text>
      <Group>
        <Select
          label={t('team')}
          placeholder={t('noTeam')}
          clearable
          searchable
          data={teams?.teams.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={filters.teamId ?? null}
          onChange={(value) => change({ teamId: value ?? undefined })}
        />
        <Select
          label={t('by')}
          placeholder={t('byAnyone')}
          clearable
          searchable
          data={people?.people.map(({ id, email }) => ({ value: id, label: email })) ?? []}
          value={filters.userId ?? null}
          onChange={(value) => change({ userId: value ?? undefined })}
        />
      </Group>
      <Loaded query={query} rows={10}>
        {({ pages }) => <AuditList entries={pages.flatMap((page) => page.entries)} timeZone={browserZone} />}
      </Loaded>
      <More query={query} />
    </Page>
  );
}
