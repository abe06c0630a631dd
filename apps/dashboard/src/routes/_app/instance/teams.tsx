import type { Team } from '@landfall/api-client';
import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client } from '../../../api/client.ts';
import { CommandForm, fieldsOf, useFormCommand } from '../../../parts/forms/form.tsx';
import { ConfirmButton } from '../../../parts/page/confirm.tsx';
import { type Columns, DataTable, rowButton } from '../../../parts/page/data-table.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { cursorPages, Loaded, Page } from '../../../parts/page/page.tsx';
import type { Role } from '../../../parts/roles.ts';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/instance/teams')({ component: Teams });

const TEAMS = '/api/manage/teams';

/** The window that is open: an action on a team, or a form for a new team. */
type Open = { team: null; act: 'create' } | { team: Team; act: 'rename' | 'members' };

function Teams() {
  const t = useTranslations('teams');
  const query = api.useInfiniteQuery('get', TEAMS, { params: { query: { limit: 50 } } }, cursorPages);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const isForm = open?.act === 'create' || open?.act === 'rename';
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
          {(team.role === 'owner' ? (['members', 'rename'] as const) : (['members'] as const)).map((act) => (
            <Button
              key={act}
              {...rowButton}
              onClick={() => setOpen({ team, act })}
              aria-label={t('actNamed', { act: t(act), name: team.name })}
            >
              {t(act)}
            </Button>
          ))}
          {team.role === 'owner' && <DeleteTeam team={team} />}
        </Group>
      ),
    },
  ];
  return (
    <Page
      title={t('title')}
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setOpen({ team: null, act: 'create' })}>
          {t('create')}
        </Button>
      }
    >
      <Text>{t('intro')}</Text>
      <Loaded query={query} rows={8}>
        {({ pages }) => (
          <DataTable minWidth={560} rows={pages.flatMap(({ teams }) => teams)} rowKey="id" columns={columns} />
        )}
      </Loaded>
      <Modal opened={isForm} onClose={close} title={t(open?.act === 'rename' ? 'rename' : 'create')}>
        {isForm && <TeamForm team={open.team} onClose={close} />}
      </Modal>
      <Modal opened={open?.act === 'members'} onClose={close} title={t('membersOf', { name: open?.team?.name ?? '' })}>
        {open?.act === 'members' && <Members teamId={open.team.id} />}
      </Modal>
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
          columns={[
            {
              cell: ({ name, email }) => (
                <>
                  {name}
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {email}
                  </Text>
                </>
              ),
            },
            { cell: ({ role }) => roles(role) },
          ]}
        />
      )}
    </Loaded>
  );
}
