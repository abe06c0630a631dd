import type { Invitation, Member } from '@landfall/api-client';
import { Button, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, client, ranks, useApp, useMay, useMe } from '../../../api/index.ts';
import { NeedsSecondFactor } from '../../../parts/account/needs-second-factor.tsx';
import { PersonCell } from '../../../parts/account/person-cell.tsx';
import { Sharing } from '../../../parts/account/sharing.tsx';
import { TeamName } from '../../../parts/account/team-name.tsx';
import { TeamTokens } from '../../../parts/account/tokens.tsx';
import { ShownOnce } from '../../../parts/copy.tsx';
import { CommandForm, useCommandForm } from '../../../parts/forms/form.tsx';
import { RowConfirm, rowButton, WindowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { Loaded, Page } from '../../../parts/page/page.tsx';
import { useCommand } from '../../../parts/page/use-command.ts';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/members')({ component: Members });

function Members() {
  const t = useTranslations('members');
  const { teamId } = useApp();
  return (
    <Page title={t('title')}>{teamId === null ? <Text size="md">{t('noTeam')}</Text> : <Team teamId={teamId} />}</Page>
  );
}

function Team({ teamId }: { teamId: string }) {
  const t = useTranslations('members');
  const mayChange = useMay('admin');
  const mayOwn = useMay('owner');
  const params = { path: { teamId } };
  const query = api.useQuery('get', '/api/manage/teams/{teamId}/members', { params });
  const { data } = api.useQuery('get', '/api/manage/teams/{teamId}', { params });
  const me = useMe();
  async function remove(userId: string) {
    await client.DELETE('/api/manage/teams/{teamId}/members/{userId}', { params: { path: { teamId, userId } } });
    // Without a role there is no page of this team any more.
    if (me.person?.id === userId) location.assign('/');
  }
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="md">{data && t('intro', { team: data.team.name })}</Text>
        {mayChange && (
          <WindowButton title={t('invite')}>{(close) => <InviteForm teamId={teamId} onClose={close} />}</WindowButton>
        )}
      </Group>
      <Loaded query={query}>
        {({ members, invitations }) => (
          <>
            <DataTable
              t={t}
              minWidth={640}
              rows={members}
              rowKey="userId"
              columns={{
                person: (member) => <PersonCell {...member} />,
                role: (member) => (mayChange ? <RoleOf teamId={teamId} member={member} /> : t(`roles.${member.role}`)),
                secondFactor: mayChange && (({ secondFactor }) => t(secondFactor ? 'yes' : 'no')),
                since: ({ since }) => <Ago at={since} />,
                actions:
                  mayChange &&
                  (({ userId, name, role }) =>
                    role === 'owner' && members.filter((one) => one.role === 'owner').length === 1 ? (
                      <Text size="xs">{t('lastOwner')}</Text>
                    ) : (
                      <RowConfirm act="remove" t={t} of={{ name }} onConfirm={() => remove(userId)} />
                    )),
              }}
            />
            {invitations.length > 0 && <Invitations teamId={teamId} invitations={invitations} />}
            {mayChange && (
              <Title order={2} size="h3" mt="md">
                {t('settings')}
              </Title>
            )}
            {mayOwn && <TeamName teamId={teamId} />}
            {mayOwn && (
              <NeedsSecondFactor teamId={teamId} without={members.filter((one) => !one.secondFactor).length} />
            )}
            {mayOwn && <Sharing teamId={teamId} />}
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

function Invitations({ teamId, invitations }: { teamId: string; invitations: Invitation[] }) {
  const t = useTranslations('members');
  const mayChange = useMay('admin');
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
            <Text>
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
  const mayMail = api.useQuery('get', '/api/manage/set-up').data?.mail;
  const form = useCommandForm(t, {
    initialValues: { email: '', role: 'member', mail: true },
    validate: { email: (value) => (value.includes('@') ? null : t('emailMissing')) },
    send: ({ email, role, mail }) =>
      client.POST('/api/manage/teams/{teamId}/invitations', {
        params: { path: { teamId } },
        body: { email, role: role as Member['role'], mail: mail && mayMail === true },
      }),
    onSuccess({ data }) {
      if (data!.code !== null) return;
      notifications.show({ message: t('mailed', { email: data!.invitation.email }) });
      onClose();
    },
  });
  const code = form.command.data?.data?.code;
  if (code) return <ShownOnce value={`${location.origin}/join#${code}`} t={t} onClose={onClose} />;
  return (
    <CommandForm form={form} submit={t('invite')} noValidate>
      <TextInput type="email" required data-autofocus {...form.field('email')} />
      <Select data={ranks.map((value) => ({ value, label: t(`roles.${value}`) }))} {...form.field('role')} />
      {mayMail === true && <Switch {...form.field('mail', { type: 'checkbox' })} />}
      {mayMail === false && <Text>{t('mailOff')}</Text>}
    </CommandForm>
  );
}
