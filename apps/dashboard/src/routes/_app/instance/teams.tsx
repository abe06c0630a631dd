import type { Team } from '@landfall/api-client';
import { Group, Text, TextInput } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { api, client, type Role } from '../../../api/index.ts';
import { PersonCell } from '../../../parts/account/person-cell.tsx';
import { CommandForm, useCommandForm } from '../../../parts/forms/form.tsx';
import { ConfirmButton, rowButton, WindowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/instance/teams')({ component: Teams });

const TEAMS = '/api/manage/teams';

function Teams() {
  const t = useTranslations('teams');
  const query = api.useInfiniteQuery('get', TEAMS, { params: { query: { limit: 50 } } }, cursorPages);
  return (
    <Page
      title={t('title')}
      actions={
        <WindowButton leftSection={<Plus size={16} aria-hidden />} title={t('create')}>
          {(close) => <TeamForm team={null} onClose={close} />}
        </WindowButton>
      }
    >
      <Text size="md">{t('intro')}</Text>
      <Loaded query={query} rows={8}>
        {({ teams }) => (
          <DataTable
            t={t}
            minWidth={560}
            rows={teams}
            columns={{
              team: ({ name }) => name,
              since: ({ createdAt }) => <Ago at={createdAt} />,
              changes: ({ id }) => (
                <PageLink size="sm" to="/instance/audit" search={{ teamId: id }}>
                  {t('audit')}
                </PageLink>
              ),
              actions: (team) => <Actions team={team} />,
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** Makes a team, or gives one another name. */
function TeamForm({ team, onClose }: { team: Team | null; onClose: () => void }) {
  const t = useTranslations('teams');
  const form = useCommandForm(t, {
    initialValues: { name: team?.name ?? '' },
    validate: { name: (value) => (value.trim() === '' ? t('nameMissing') : null) },
    send: async ({ name }) => {
      const body = { name: name.trim() };
      if (team === null) return client.POST(TEAMS, { body });
      const params = { path: { teamId: team.id }, header: { 'If-Match': `"${team.version}"` } };
      return client.PATCH(`${TEAMS}/{teamId}`, { params, body });
    },
    onSuccess: onClose,
  });
  return (
    <CommandForm form={form} submit={t('save')} noValidate>
      <TextInput required data-autofocus {...form.field('name')} />
    </CommandForm>
  );
}

function Actions({ team }: { team: Team & { role: Role | null } }) {
  const t = useTranslations('teams');
  const { id: teamId, name, role } = team;
  const button = (act: 'members' | 'rename' | 'delete') =>
    ({ ...rowButton, title: t(act), 'aria-label': t('actNamed', { act: t(act), name }) }) as const;
  const remove = () => client.DELETE(`${TEAMS}/{teamId}`, { params: { path: { teamId } } });
  return (
    <Group gap="xs">
      <WindowButton {...button('members')} heading={t('membersOf', { name })}>
        {() => <Members teamId={teamId} />}
      </WindowButton>
      {role === 'owner' && (
        <>
          <WindowButton {...button('rename')}>{(close) => <TeamForm team={team} onClose={close} />}</WindowButton>
          <ConfirmButton {...button('delete')} onConfirm={remove} danger text={t('deleteText', { name })} />
        </>
      )}
    </Group>
  );
}

function Members({ teamId }: { teamId: string }) {
  const t = useTranslations('teams');
  const roles = useTranslations('members.roles');
  const query = api.useQuery('get', `${TEAMS}/{teamId}/members`, { params: { path: { teamId } } });
  return (
    <Loaded query={query} rows={3}>
      {({ members }) => (
        <DataTable
          rows={members}
          rowKey="userId"
          empty={t('nobody')}
          columns={{ person: (member) => <PersonCell {...member} />, role: ({ role }) => roles(role) }}
        />
      )}
    </Loaded>
  );
}
