import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/client.ts';
import { AuditList } from '../../../parts/audit/audit-list.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../parts/page/more.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { browserZone } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/instance/audit')({
  validateSearch: ({ teamId }: Record<string, unknown>): { teamId?: string } =>
    typeof teamId === 'string' ? { teamId } : {},
  component: InstanceAudit,
});

function InstanceAudit() {
  const t = useTranslations('audit');
  const { teamId } = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/audit',
    { params: { query: { limit: 50, ...(teamId !== undefined && { teamId }) } } },
    cursorPages,
  );
  const { data } = useQuery(api.queryOptions('get', '/api/manage/teams'));
  return (
    <Page title={t('title')}>
      <Text>{t('instanceIntro')}</Text>
      <Select
        label={t('team')}
        placeholder={t('noTeam')}
        clearable
        maw={320}
        data={data?.teams.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={teamId ?? null}
        onChange={(value) => void navigate({ search: value === null ? {} : { teamId: value }, replace: true })}
      />
      <Loaded query={query} rows={10}>
        {({ pages }) => <AuditList entries={pages.flatMap((page) => page.entries)} timeZone={browserZone} />}
      </Loaded>
      <More query={query} />
    </Page>
  );
}
