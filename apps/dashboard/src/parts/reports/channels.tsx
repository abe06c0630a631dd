import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api, client, useApp } from '../../api/index.ts';
import { ShownOnce } from '../copy.tsx';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { rowButton, WindowButton } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import { CommandButton, FailureAlert, Section } from '../page/page.tsx';
import { RowMenu } from '../page/row-menu.tsx';
import { State } from '../states/state.tsx';
import { states } from '../states/states.ts';
import { Ago } from '../time.tsx';
import type { Channel } from './shared.tsx';

/** The channels of the app, with a test of each. */
export function Channels({ channels, mail }: { channels: readonly Channel[]; mail: boolean }) {
  const t = useTranslations('channels');
  return (
    <Section
      title={t('title')}
      actions={
        <WindowButton title={t('add')} {...(channels.length > 0 && { variant: 'default' })}>
          {(close) => <AddChannel mail={mail} onClose={close} />}
        </WindowButton>
      }
    >
      <DataTable
        t={t}
        minWidth={680}
        rows={channels}
        empty={t('empty')}
        columns={{
          name: ({ name }) => name,
          kind: ({ kind }) => t(`kinds.${kind}`),
          target: ({ hint }) => hint,
          state: (channel) => (
            <Group gap="xs">
              <State words={states.channel} of={channel} t={(word) => t(`states.${word}`)} />
              {channel.failingSince !== null && <Ago at={channel.failingSince} />}
            </Group>
          ),
          actions: (channel) => <Actions of={channel} />,
        }}
      />
      {!mail && <Text>{t('mailOff')}</Text>}
    </Section>
  );
}

function Actions({ of: { id: channelId, name, kind, state } }: { of: Channel }) {
  const t = useTranslations('channels');
  const { id: appId } = useApp();
  const queries = useQueryClient();
  const path = { params: { path: { appId, channelId } } };
  // A test succeeds only when the receiver has taken it. Else the row says why not, and its state has changed, too.
  const test = async () => {
    await client.POST('/api/manage/apps/{appId}/channels/{channelId}/test', path).catch(async (error: unknown) => {
      await queries.invalidateQueries();
      throw error;
    });
    notifications.show({ message: t('tested', { name }) });
  };
  const askAgain = async () => {
    await client.POST('/api/manage/apps/{appId}/channels/{channelId}/confirmation', path);
    notifications.show({ message: t('asked') });
  };
  const remove = () => client.DELETE('/api/manage/apps/{appId}/channels/{channelId}', path);
  return (
    <Group gap="xs">
      {state === 'ready' && (
        <CommandButton {...rowButton} command={test} aria-label={t('testNamed', { name })}>
          {t('test')}
        </CommandButton>
      )}
      {state !== 'ready' && (
        <CommandButton {...rowButton} command={askAgain} aria-label={t('askNamed', { name })}>
          {t('ask')}
        </CommandButton>
      )}
      <RowMenu
        label={t('actionsOf', { name })}
        actions={[
          ...(kind === 'webhook'
            ? [
                {
                  text: t('newSecret'),
                  content: (close: () => void) => <NewSecret channelId={channelId} onClose={close} />,
                },
              ]
            : []),
          { text: t('remove'), question: t('removeText', { name }), onConfirm: remove },
        ]}
      />
    </Group>
  );
}

/** Asks before it makes a new secret, and shows it once. */
function NewSecret({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const t = useTranslations('channels');
  const { id: appId } = useApp();
  const renew = useMutation({
    mutationFn: () =>
      client.POST('/api/manage/apps/{appId}/channels/{channelId}/secret', { params: { path: { appId, channelId } } }),
  });
  const secret = renew.data?.data?.secret;
  if (secret) return <ShownOnce value={secret} t={t} onClose={onClose} />;
  return (
    <Stack>
      <Text size="md">{t('newSecretText')}</Text>
      {renew.isError && <FailureAlert error={renew.error} />}
      <Group justify="flex-end">
        <Button color="red.9" loading={renew.isPending} onClick={() => renew.mutate()}>
          {t('newSecret')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Stands for an address that is no member's. */
const OTHER = 'other';

function AddChannel({ mail, onClose }: { mail: boolean; onClose: () => void }) {
  const t = useTranslations('channels');
  const { id: appId, teamId } = useApp();
  const members = api.useQuery(
    'get',
    '/api/manage/teams/{teamId}/members',
    { params: { path: { teamId: teamId ?? '' } } },
    { enabled: teamId !== null },
  );
  const form = useCommandForm(t, {
    initialValues: { kind: mail ? 'email' : 'slack', name: '', who: teamId === null ? OTHER : '', target: '' },
    fields: { MEMBER_NOT_FOUND: 'who', userId: 'who' },
    validate: {
      who: (who, { kind }) => (kind === 'email' && !who ? t('whoMissing') : null),
    },
    send({ kind, name, who, target }) {
      const isMember = kind === 'email' && who !== OTHER;
      return client.POST('/api/manage/apps/{appId}/channels', {
        params: { path: { appId } },
        body: { kind: kind as Channel['kind'], name, ...(isMember ? { userId: who } : { target }) },
      });
    },
    onSuccess({ data }) {
      if (data!.secret !== null) return;
      if (data!.channel.state === 'unconfirmed') notifications.show({ message: t('asked') });
      onClose();
    },
  });
  const secret = form.command.data?.data?.secret;
  if (secret) return <ShownOnce value={secret} t={t} onClose={onClose} />;
  const { kind, who } = form.getValues();
  const kinds = (['email', 'slack', 'teams', 'webhook'] as const).map((value) => ({
    value,
    label: t(`kinds.${value}`),
    disabled: value === 'email' && !mail,
  }));
  const people = (members.data?.members ?? []).map(({ userId, name, email }) => ({
    value: userId,
    label: `${name} (${email})`,
  }));
  return (
    <CommandForm form={form} submit={t('add')}>
      <Select data={kinds} {...form.field('kind')} />
      <TextInput required {...form.field('name')} />
      {kind === 'email' && (
        <Select data={[...people, { value: OTHER, label: t('otherAddress') }]} {...form.field('who')} />
      )}
      {(kind !== 'email' || who === OTHER) && (
        <TextInput
          required
          type={kind === 'email' ? 'email' : 'url'}
          {...form.field('target')}
          label={t(kind === 'email' ? 'address' : 'url')}
          description={t(`targetHelps.${kind as Channel['kind']}`)}
        />
      )}
    </CommandForm>
  );
}
