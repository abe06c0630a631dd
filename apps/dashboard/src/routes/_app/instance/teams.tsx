import type { Team } from '@landfall/api-client';
import { Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client } from '../../../api/client.ts';
import { meQuery } from '../../../api/session.ts';
import { showFaults } from '../../../parts/forms/form-faults.ts';
import { ConfirmButton } from '../../../parts/page/confirm.tsx';
import { type Columns, DataTable, rowButton } from '../../../parts/page/data-table.tsx';
import { FailureAlert } from '../../../parts/page/failure-alert.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../parts/page/more.tsx';
import { Page } from '../../../parts/page/page.tsx';
import type { Role } from '../../../parts/roles.ts';
import { Ago, browserZone } from '../../../parts/time.tsx';

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
    { heading: t('since'), cell: ({ createdAt }) => <Ago at={createdAt} timeZone={browserZone} /> },
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
      <More query={query} />
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
  const renew = useRenew();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: team?.name ?? '' },
    validate: { name: (value) => (value.trim() === '' ? t('nameMissing') : null) },
  });
  const save = useMutation({
    mutationFn: async ({ name }: typeof form.values) => {
      const body = { name: name.trim() };
      if (team === null) return client.POST(TEAMS, { body });
      const params = { path: { teamId: team.id }, header: { 'If-Match': `"${team.version}"` } };
      return client.PATCH(`${TEAMS}/{teamId}`, { params, body });
    },
    async onSuccess() {
      await renew();
      onClose();
    },
    onError: (error) => void showFaults(form, error),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        <TextInput label={t('name')} required data-autofocus key={form.key('name')} {...form.getInputProps('name')} />
        {save.isError && <FailureAlert error={save.error} />}
        <Button type="submit" loading={save.isPending}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  );
}

function DeleteTeam({ team }: { team: Team }) {
  const t = useTranslations('teams');
  const renew = useRenew();
  async function remove() {
    await client.DELETE(`${TEAMS}/{teamId}`, { params: { path: { teamId: team.id } } });
    await renew();
  }
  return (
    <ConfirmButton
      {...rowButton}
      title={t('delete')}
      aria-label={t('actNamed', { act: t('delete'), name: team.name })}
      onConfirm={remove}
      danger
    >
      <Text>{t('deleteText', { name: team.name })}</Text>
    </ConfirmButton>
  );
}

function useRenew(): () => Promise<unknown> {
  const { queries } = Route.useRouteContext();
  return () =>
    Promise.all([queries.invalidateQueries({ queryKey: ['get', TEAMS] }), queries.invalidateQueries(meQuery())]);
}

function Members({ teamId }: { teamId: string }) {
  const t = useTranslations('teams');
  const roles = useTranslations('members.roles');
  const query = useQuery(api.queryOptions('get', `${TEAMS}/{teamId}/members`, { params: { path: { teamId } } }));
  return (
    <Loaded query={query} rows={3}>
      {({ members }) =>
        members.length === 0 ? (
          <Text>{t('nobody')}</Text>
        ) : (
          <Table>
            <Table.Tbody>
              {members.map(({ userId, name, email, role }) => (
                <Table.Tr key={userId}>
                  <Table.Td>
                    {name}
                    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {email}
                    </Text>
                  </Table.Td>
                  <Table.Td>{roles(role)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )
      }
    </Loaded>
  );
}
