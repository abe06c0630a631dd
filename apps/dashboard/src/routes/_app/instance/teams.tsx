import type { Team } from '@landfall/api-client';
import { Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Role } from '../../../api/apps.ts';
import { api, client } from '../../../api/client.ts';
import { PersonCell } from '../../../parts/account/person-cell.tsx';
import { CommandForm, fieldsOf, useFormCommand } from '../../../parts/forms/form.tsx';
import { ConfirmButton, rowButton, WindowButton } from '../../../parts/page/buttons.tsx';
import { type Columns, DataTable } from '../../../parts/page/data-table.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/instance/teams')({ component: Teams });

const TEAMS = '/api/manage/teams';

function Teams() {
  const t = useTranslations('teams');
  const query = api.useInfiniteQuery('get', TEAMS, { params: { query: { limit: 50 } } }, cursorPages);
  const columns: Columns<Team & { role: Role | null }> = [
    { heading: t('team'), cell: ({ name }) => name },
    { heading: t('since'), cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      heading: t('changes'),
      cell: ({ id }) => (
        <PageLink size="sm" to="/instance/audit" search={{ teamId: id }}>
          {t('audit')}
        </PageLink>
      ),
    },
    {
      heading: t('actions'),
      cell: (team) => (
        <Group gap="xs">
          <WindowButton
            {...rowButton}
            title={t('members')}
            heading={t('membersOf', { name: team.name })}
            aria-label={t('actNamed', { act: t('members'), name: team.name })}
          >
            {() => <Members teamId={team.id} />}
          </WindowButton>
          {team.role === 'owner' && (
            <>
              <WindowButton
                {...rowButton}
                title={t('rename')}
                aria-label={t('actNamed', { act: t('rename'), name: team.name })}
              >
                {(close) => <TeamForm team={team} onClose={close} />}
              </WindowButton>
              <DeleteTeam team={team} />
            </>
          )}
        </Group>
      ),
    },
  ];
  return (
    <Page
      title={t('title')}
      actions={
        <WindowButton leftSection={<Plus size={16} aria-hidden />} title={t('create')}>
          {(close) => <TeamForm team={null} onClose={close} />}
        </WindowButton>
      }
    >
      <Text>{t('intro')}</Text>
      <Loaded query={query} rows={8}>
        {({ pages }) => (
          <DataTable minWidth={560} rows={pages.flatMap(({ teams }) => teams)} rowKey="id" columns={columns} />
        )}
      </Loaded>
    </Page>
  );
}

/** Makes a team, or gives one another name. */
function TeamForm({ team, onClose }: { team: Team | null; onClose: () => void }) {
  const t = useTranslations('teams');
  const form = useForm({
    initialValues: { name: team?.name ?? '' },
    validate: { name: (value) => (value.trim() === '' ? t('nameMissing') : null) },
  });
  const save = useFormCommand(form, {
    mutationFn: async ({ name }) => {
      const body = { name: name.trim() };
      if (team === null) return client.POST(TEAMS, { body });
      const params = { path: { teamId: team.id }, header: { 'If-Match': `"${team.version}"` } };
      return client.PATCH(`${TEAMS}/{teamId}`, { params, body });
    },
    onSuccess: onClose,
  });
  return (
    <CommandForm form={form} command={save} submit={t('save')} noValidate>
      <TextInput required data-autofocus {...fieldsOf(form, t)('name')} />
    </CommandForm>
  );
}

function DeleteTeam({ team }: { team: Team }) {
  const t = useTranslations('teams');
  const remove = () => client.DELETE(`${TEAMS}/{teamId}`, { params: { path: { teamId: team.id } } });
  return (
    <ConfirmButton
      {...rowButton}
      title={t('delete')}
      aria-label={t('actNamed', { act: t('delete'), name: team.name })}
      onConfirm={remove}
      danger
      text={t('deleteText', { name: team.name })}
    />
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
          columns={[{ cell: (person) => <PersonCell {...person} /> }, { cell: ({ role }) => roles(role) }]}
        />
      )}
    </Loaded>
  );
}
