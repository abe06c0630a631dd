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
import { Confirm } from '../../../parts/page/confirm.tsx';
import { FailureAlert } from '../../../parts/page/failure-alert.tsx';
import { PageLink } from '../../../parts/page/links.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { cursorPages, More } from '../../../parts/page/more.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { Ago, browserZone } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/instance/teams')({ component: Teams });

const TEAMS = '/api/manage/teams';

/** The window that is open: an action on a team, or a form for a new team. */
type Open = { team: Team | null; act: 'create' } | { team: Team; act: 'rename' | 'delete' | 'members' };

function Teams() {
  const t = useTranslations('teams');
  const query = api.useInfiniteQuery('get', TEAMS, { params: { query: { limit: 50 } } }, cursorPages);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const isForm = open?.act === 'create' || open?.act === 'rename';
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
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('team')}</Table.Th>
                  <Table.Th>{t('since')}</Table.Th>
                  <Table.Th>{t('changes')}</Table.Th>
                  <Table.Th>{t('actions')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {pages
                  .flatMap(({ teams }) => teams)
                  .map(({ role, ...team }) => (
                    <Table.Tr key={team.id}>
                      <Table.Td>{team.name}</Table.Td>
                      <Table.Td>
                        <Ago at={team.createdAt} timeZone={browserZone} />
                      </Table.Td>
                      <Table.Td>
                        <PageLink size="sm" to="/instance/audit" search={{ teamId: team.id }}>
                          {t('audit')}
                        </PageLink>
                      </Table.Td>
                      <Table.Td>
                        <Group gap="xs">
                          {(['members', ...(role === 'owner' ? (['rename', 'delete'] as const) : [])] as const).map(
                            (act) => (
                              <Button
                                key={act}
                                size="compact-sm"
                                variant="default"
                                onClick={() => setOpen({ team, act })}
                                aria-label={t('actNamed', { act: t(act), name: team.name })}
                              >
                                {t(act)}
                              </Button>
                            ),
                          )}
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
      <More query={query} />
      <Modal opened={isForm} onClose={close} title={t(open?.act === 'rename' ? 'rename' : 'create')}>
        {isForm && <TeamForm team={open.team} onClose={close} />}
      </Modal>
      <Modal opened={open?.act === 'members'} onClose={close} title={t('membersOf', { name: open?.team?.name ?? '' })}>
        {open?.act === 'members' && <Members teamId={open.team.id} />}
      </Modal>
      {open?.act === 'delete' && <DeleteTeam team={open.team} onClose={close} />}
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

function DeleteTeam({ team, onClose }: { team: Team; onClose: () => void }) {
  const t = useTranslations('teams');
  const renew = useRenew();
  async function remove() {
    await client.DELETE(`${TEAMS}/{teamId}`, { params: { path: { teamId: team.id } } });
    await renew();
  }
  return (
    <Confirm title={t('delete')} opened onClose={onClose} onConfirm={remove} danger>
      <Text>{t('deleteText', { name: team.name })}</Text>
    </Confirm>
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
