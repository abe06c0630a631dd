import type { Invitation, Member } from '@landfall/api-client';
import { Alert, Badge, Button, Group, Modal, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/apps.ts';
import { api, client } from '../../../api/client.ts';
import { meQuery } from '../../../api/session.ts';
import { PersonCell } from '../../../parts/account/person-cell.tsx';
import { TeamTokens } from '../../../parts/account/team-tokens.tsx';
import { CopyLine } from '../../../parts/copy.tsx';
import { showFaults } from '../../../parts/forms/form-faults.ts';
import { ConfirmButton } from '../../../parts/page/confirm.tsx';
import { type Columns, DataTable, rowButton } from '../../../parts/page/data-table.tsx';
import { FailureAlert } from '../../../parts/page/failure-alert.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { useFailureToast } from '../../../parts/page/use-failure-toast.ts';
import { ranks, useMay } from '../../../parts/roles.ts';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/members')({ component: Members });

const membersQuery = (teamId: string) =>
  api.queryOptions('get', '/api/manage/teams/{teamId}/members', { params: { path: { teamId } } });

function Members() {
  const t = useTranslations('members');
  const { appId } = Route.useParams();
  const { teamId } = useApp(appId);
  return (
    <Page title={t('title')}>
      {teamId === null ? <Text>{t('noTeam')}</Text> : <Team appId={appId} teamId={teamId} />}
    </Page>
  );
}

function Team({ appId, teamId }: { appId: string; teamId: string }) {
  const t = useTranslations('members');
  const { timeZone } = useApp(appId);
  const mayChange = useMay(appId, 'admin');
  const query = useQuery(membersQuery(teamId));
  const [inviting, invite] = useDisclosure();
  const { queries } = Route.useRouteContext();
  const me = useSuspenseQuery(meQuery()).data;
  async function remove(userId: string) {
    await client.DELETE('/api/manage/teams/{teamId}/members/{userId}', { params: { path: { teamId, userId } } });
    // Without a role there is no page of this team any more.
    if (me.person?.id === userId) return location.assign('/');
    await queries.invalidateQueries(membersQuery(teamId));
  }
  const columns: Columns<Member> = [
    { heading: t('person'), cell: (person) => <PersonCell {...person} /> },
    {
      heading: t('role'),
      cell: (member) =>
        mayChange ? (
          <RoleOf teamId={teamId} member={member} />
        ) : (
          <Badge color="gray.8">{t(`roles.${member.role}`)}</Badge>
        ),
    },
    { heading: t('since'), cell: ({ since }) => <Ago at={since} timeZone={timeZone} /> },
    mayChange && {
      heading: t('actions'),
      cell: ({ userId, name }) => (
        <ConfirmButton
          {...rowButton}
          title={t('remove')}
          aria-label={t('removeNamed', { name })}
          onConfirm={() => remove(userId)}
          danger
        >
          <Text>{t('removeText', { name })}</Text>
        </ConfirmButton>
      ),
    },
  ];
  return (
    <Stack>
      <Group justify="space-between">
        <Text>{t('intro')}</Text>
        {mayChange && <Button onClick={invite.open}>{t('invite')}</Button>}
      </Group>
      <Loaded query={query}>
        {({ members, invitations }) => (
          <>
            <DataTable minWidth={560} rows={members} rowKey="userId" columns={columns} />
            {invitations.length > 0 && (
              <Invitations teamId={teamId} invitations={invitations} timeZone={timeZone} mayChange={mayChange} />
            )}
            {mayChange && (
              <TeamTokens
                teamId={teamId}
                names={new Map(members.map(({ userId, name }) => [userId, name]))}
                timeZone={timeZone}
              />
            )}
          </>
        )}
      </Loaded>
      <Modal opened={inviting} onClose={invite.close} title={t('invite')}>
        <InviteForm teamId={teamId} onClose={invite.close} />
      </Modal>
    </Stack>
  );
}

/** A change is sent at once. Roles above one's own are refused by the API, which says so. */
function RoleOf({ teamId, member }: { teamId: string; member: Member }) {
  const t = useTranslations('members');
  const { queries } = Route.useRouteContext();
  const tell = useFailureToast();
  const change = useMutation({
    mutationFn: (role: Member['role']) =>
      client.PATCH('/api/manage/teams/{teamId}/members/{userId}', {
        params: { path: { teamId, userId: member.userId } },
        body: { role },
      }),
    onSettled: () => queries.invalidateQueries(membersQuery(teamId)),
    onError: tell,
  });
  return (
    <Select
      aria-label={t('roleOf', { name: member.name })}
      allowDeselect={false}
      w={140}
      data={ranks.map((value) => ({ value, label: t(`roles.${value}`) }))}
      value={member.role}
      disabled={change.isPending}
      onChange={(value) => value && value !== member.role && change.mutate(value as Member['role'])}
    />
  );
}

interface InvitationsProps {
  teamId: string;
  invitations: Invitation[];
  timeZone: string;
  mayChange: boolean;
}

function Invitations({ teamId, invitations, timeZone, mayChange }: InvitationsProps) {
  const t = useTranslations('members');
  const { queries } = Route.useRouteContext();
  const tell = useFailureToast();
  const revoke = useMutation({
    mutationFn: (invitationId: string) =>
      client.DELETE('/api/manage/teams/{teamId}/invitations/{invitationId}', {
        params: { path: { teamId, invitationId } },
      }),
    onSuccess: () => queries.invalidateQueries(membersQuery(teamId)),
    onError: tell,
  });
  return (
    <>
      <Title order={2} size="h4">
        {t('invitations')}
      </Title>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {invitations.map(({ id, email, role, expiresAt }) => (
          <Group component="li" key={id} justify="space-between">
            <Text size="sm">
              {email} · {t(`roles.${role}`)} · {t('ends')} <Ago at={expiresAt} timeZone={timeZone} />
            </Text>
            {mayChange && (
              <Button {...rowButton} onClick={() => revoke.mutate(id)} aria-label={t('withdrawNamed', { email })}>
                {t('withdraw')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </>
  );
}

function InviteForm({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const t = useTranslations('members');
  const { queries } = Route.useRouteContext();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', role: 'member' },
    validate: { email: (value) => (value.includes('@') ? null : t('emailMissing')) },
  });
  const invite = useMutation({
    mutationFn: ({ email, role }: typeof form.values) =>
      client.POST('/api/manage/teams/{teamId}/invitations', {
        params: { path: { teamId } },
        body: { email, role: role as Member['role'] },
      }),
    onSuccess: () => queries.invalidateQueries(membersQuery(teamId)),
    onError: (error) => void showFaults(form, error),
  });
  if (invite.data?.data)
    return (
      <Stack>
        <Alert color="yellow" role="status" title={t('send')}>
          {t('sendText')}
        </Alert>
        <CopyLine value={`${location.origin}/join#${invite.data.data.code}`} label={t('copy')} />
        <Button onClick={onClose}>{t('sent')}</Button>
      </Stack>
    );
  return (
    <form onSubmit={form.onSubmit((values) => invite.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={t('email')}
          type="email"
          required
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Select
          label={t('role')}
          description={t('roleHelp')}
          allowDeselect={false}
          data={ranks.map((value) => ({ value, label: t(`roles.${value}`) }))}
          key={form.key('role')}
          {...form.getInputProps('role')}
        />
        {invite.isError && <FailureAlert error={invite.error} />}
        <Button type="submit" loading={invite.isPending}>
          {t('invite')}
        </Button>
      </Stack>
    </form>
  );
}
