import type { Invitation, Member } from '@landfall/api-client';
import { Badge, Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ranks, useApp, useMay } from '../../../api/apps.ts';
import { api, client } from '../../../api/client.ts';
import { meQuery } from '../../../api/session.ts';
import { PersonCell } from '../../../parts/account/person-cell.tsx';
import { TeamTokens } from '../../../parts/account/tokens.tsx';
import { ShownOnce } from '../../../parts/copy.tsx';
import { CommandForm, fieldsOf, useFormCommand } from '../../../parts/forms/form.tsx';
import { ConfirmButton, rowButton, WindowButton } from '../../../parts/page/buttons.tsx';
import { type Columns, DataTable } from '../../../parts/page/data-table.tsx';
import { Loaded, Page } from '../../../parts/page/page.tsx';
import { useCommand } from '../../../parts/page/use-command.ts';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/members')({ component: Members });

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
  const mayChange = useMay(appId, 'admin');
  const query = api.useQuery('get', '/api/manage/teams/{teamId}/members', { params: { path: { teamId } } });
  const me = useSuspenseQuery(meQuery()).data;
  async function remove(userId: string) {
    await client.DELETE('/api/manage/teams/{teamId}/members/{userId}', { params: { path: { teamId, userId } } });
    // Without a role there is no page of this team any more.
    if (me.person?.id === userId) location.assign('/');
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
    { heading: t('since'), cell: ({ since }) => <Ago at={since} /> },
    mayChange && {
      heading: t('actions'),
      cell: ({ userId, name }) => (
        <ConfirmButton
          {...rowButton}
          title={t('remove')}
          aria-label={t('removeNamed', { name })}
          onConfirm={() => remove(userId)}
          danger
          text={t('removeText', { name })}
        />
      ),
    },
  ];
  return (
    <Stack>
      <Group justify="space-between">
        <Text>{t('intro')}</Text>
        {mayChange && (
          <WindowButton title={t('invite')}>{(close) => <InviteForm teamId={teamId} onClose={close} />}</WindowButton>
        )}
      </Group>
      <Loaded query={query}>
        {({ members, invitations }) => (
          <>
            <DataTable minWidth={560} rows={members} rowKey="userId" columns={columns} />
            {invitations.length > 0 && <Invitations teamId={teamId} invitations={invitations} mayChange={mayChange} />}
            {mayChange && (
              <TeamTokens teamId={teamId} names={new Map(members.map(({ userId, name }) => [userId, name]))} />
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

/** A change is sent at once. Roles above one's own are refused by the API, which says so. */
function RoleOf({ teamId, member }: { teamId: string; member: Member }) {
  const t = useTranslations('members');
  const params = { path: { teamId, userId: member.userId } };
  const change = useCommand((role: Member['role']) =>
    client.PATCH('/api/manage/teams/{teamId}/members/{userId}', { params, body: { role } }),
  );
  return (
    <Select
      aria-label={t('roleOf', { name: member.name })}
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
  mayChange: boolean;
}

function Invitations({ teamId, invitations, mayChange }: InvitationsProps) {
  const t = useTranslations('members');
  const revoke = useCommand((invitationId: string) =>
    client.DELETE('/api/manage/teams/{teamId}/invitations/{invitationId}', {
      params: { path: { teamId, invitationId } },
    }),
  );
  return (
    <>
      <Title order={2} size="h4">
        {t('invitations')}
      </Title>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {invitations.map(({ id, email, role, expiresAt }) => (
          <Group component="li" key={id} justify="space-between">
            <Text size="sm">
              {email} · {t(`roles.${role}`)} · {t('ends')} <Ago at={expiresAt} />
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
  const form = useForm({
    initialValues: { email: '', role: 'member' },
    validate: { email: (value) => (value.includes('@') ? null : t('emailMissing')) },
  });
  const field = fieldsOf(form, t);
  const invite = useFormCommand(form, {
    mutationFn: ({ email, role }) =>
      client.POST('/api/manage/teams/{teamId}/invitations', {
        params: { path: { teamId } },
        body: { email, role: role as Member['role'] },
      }),
  });
  if (invite.data?.data)
    return <ShownOnce value={`${location.origin}/join#${invite.data.data.code}`} t={t} onClose={onClose} />;
  return (
    <CommandForm form={form} command={invite} submit={t('invite')} noValidate>
      <TextInput type="email" required data-autofocus {...field('email')} />
      <Select data={ranks.map((value) => ({ value, label: t(`roles.${value}`) }))} {...field('role')} />
    </CommandForm>
  );
}
