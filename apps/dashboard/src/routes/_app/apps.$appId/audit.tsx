import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/apps.ts';
import { api } from '../../../api/client.ts';
import { AuditList } from '../../../parts/audit/audit-list.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../parts/page/more.tsx';
import { NotAllowed } from '../../../parts/page/not-allowed.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { useMay } from '../../../parts/roles.ts';

interface Filters {
  /** True: the whole team, not only this app. */
  team?: true;
  userId?: string;
}

export const Route = createFileRoute('/_app/apps/$appId/audit')({
  validateSearch: ({ team, userId }: Record<string, unknown>): Filters => ({
    ...(team === true && { team }),
    ...(typeof userId === 'string' && { userId }),
  }),
  component: Audit,
});

function Audit() {
  const t = useTranslations('audit');
  const { appId } = Route.useParams();
  if (!useMay(appId, 'admin')) return <NotAllowed title={t('title')} needs="admin" />;
  return <Changes appId={appId} />;
}

function Changes({ appId }: { appId: string }) {
  const t = useTranslations('audit');
  const { team = false, userId } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { teamId, timeZone, name } = useApp(appId);
  const filters = { ...(!team && { appId }), ...(userId !== undefined && { userId }) };
  const query = api.useInfiniteQuery(
    'get',
    '/api/manage/teams/{teamId}/audit',
    { params: { path: { teamId: teamId! }, query: { limit: 50, ...filters } } },
    { ...cursorPages, enabled: teamId !== null },
  );
  const { data: people } = useQuery({
    ...api.queryOptions('get', '/api/manage/teams/{teamId}/members', { params: { path: { teamId: teamId! } } }),
    enabled: teamId !== null,
  });
  const exported = `/api/manage/teams/${teamId}/audit/export?${new URLSearchParams({ format: 'csv', ...filters })}`;
  return (
    <Page
      title={t('title')}
      actions={
        <Button component="a" variant="default" leftSection={<Download size={16} aria-hidden />} href={exported}>
          {t('csv')}
        </Button>
      }
    >
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 12 }}>
        <Select
          aria-label={t('of')}
          allowDeselect={false}
          data={[
            { value: 'app', label: t('ofApp', { name }) },
            { value: 'team', label: t('ofTeam') },
          ]}
          value={team ? 'team' : 'app'}
          onChange={(value) =>
            void navigate({ search: (before) => ({ ...before, team: value === 'team' || undefined }), replace: true })
          }
        />
        <Select
          aria-label={t('by')}
          placeholder={t('byAnyone')}
          clearable
          data={people?.members.map(({ userId, name }) => ({ value: userId, label: name })) ?? []}
          value={userId ?? null}
          onChange={(value) =>
            void navigate({ search: (before) => ({ ...before, userId: value ?? undefined }), replace: true })
          }
        />
      </div>
      <Loaded query={query} rows={10}>
        {({ pages }) => <AuditList entries={pages.flatMap((page) => page.entries)} timeZone={timeZone} />}
      </Loaded>
      <More query={query} />
    </Page>
  );
}
