import type { Token } from '@landfall/api-client';
import { Select, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, client, useMe } from '../../api/index.ts';
import { ShownOnce } from '../copy.tsx';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { RowConfirm, WindowButton } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { Toned } from '../states/state.tsx';
import { Ago } from '../time.tsx';

/** The person's tokens, with which programs act for them in one team. */
export function Tokens() {
  const t = useTranslations('tokens');
  const query = api.useQuery('get', '/api/manage/me/tokens');
  const { teams } = useMe();
  const teamOf = ({ teamId }: Token) => teams.find(({ id }) => id === teamId)?.name;
  const revoke = (tokenId: string) =>
    client.DELETE('/api/manage/me/tokens/{tokenId}', { params: { path: { tokenId } } });
  return (
    <Section
      title={t('title')}
      actions={
        <WindowButton size="compact-sm" title={t('create')}>
          {(close) => <TokenForm onClose={close} />}
        </WindowButton>
      }
    >
      <Text size="md">{t('intro')}</Text>
      <Loaded query={query} rows={2}>
        {({ tokens }) => <TokenTable tokens={tokens} empty={t('empty')} of="team" nameOf={teamOf} revoke={revoke} />}
      </Loaded>
    </Section>
  );
}

const LIVES = ['30', '90', '365', 'never'] as const;

function TokenForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('tokens');
  const { teams } = useMe();
  const form = useCommandForm(t, {
    initialValues: { label: '', teamId: teams[0]?.id ?? '', scope: 'read', expires: '90' },
    send: ({ label, teamId, scope, expires }) =>
      client.POST('/api/manage/me/tokens', {
        body: {
          label,
          teamId,
          scope: scope as Token['scope'],
          expiresAt: expires === 'never' ? null : new Date(Date.now() + Number(expires) * 86_400_000).toISOString(),
        },
      }),
  });
  const made = form.command.data?.data;
  if (made) return <ShownOnce value={made.plaintext} t={t} onClose={onClose} />;
  return (
    <CommandForm form={form} submit={t('create')}>
      <TextInput required data-autofocus {...form.field('label')} />
      <Select
        label={t('team')}
        data={teams.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('teamId')}
      />
      <Select
        data={(['read', 'write'] as const).map((value) => ({ value, label: t(`scopes.${value}`) }))}
        {...form.field('scope')}
      />
      <Select data={LIVES.map((value) => ({ value, label: t(`lives.${value}`) }))} {...form.field('expires')} />
    </CommandForm>
  );
}

const TOKENS = '/api/manage/teams/{teamId}/tokens';

/** The live tokens with which programs act for members of the team. `names` has the members by their ids. */
export function TeamTokens({ teamId, names }: { teamId: string; names: ReadonlyMap<string, string> }) {
  const t = useTranslations('tokens');
  const query = api.useQuery('get', TOKENS, { params: { path: { teamId } } });
  const revoke = (tokenId: string) => client.DELETE(`${TOKENS}/{tokenId}`, { params: { path: { teamId, tokenId } } });
  return (
    <Section title={t('ofTeam')}>
      <Text>{t('ofTeamText')}</Text>
      <Loaded query={query} rows={2}>
        {({ tokens }) => {
          const live = tokens.filter(({ revokedAt }) => revokedAt === null);
          const nameOf = ({ userId }: Token) => names.get(userId);
          return <TokenTable tokens={live} empty={t('noneOfTeam')} of="person" nameOf={nameOf} revoke={revoke} />;
        }}
      </Loaded>
    </Section>
  );
}

interface TokenTableProps {
  tokens: readonly Token[];
  empty: string;
  /** The column that tells the tokens apart: the team or the person. */
  of: 'team' | 'person';
  nameOf(token: Token): string | undefined;
  revoke(tokenId: string): Promise<unknown>;
}

function TokenTable({ tokens, empty, of, nameOf, revoke }: TokenTableProps) {
  const t = useTranslations('tokens');
  const timeOf = (time: string | null) => (time ? <Ago at={time} /> : t('never'));
  return (
    <DataTable
      t={t}
      minWidth={640}
      rows={tokens}
      empty={empty}
      columns={{
        label: ({ label, hint }) => (
          <>
            {label || t('unnamed')}{' '}
            <Text span ff="monospace">
              {hint}
            </Text>
          </>
        ),
        [of]: nameOf,
        scope: ({ scope }) => t(`scopes.${scope}`),
        lastUsed: ({ lastUsedAt }) => timeOf(lastUsedAt),
        expires: ({ expiresAt }) => timeOf(expiresAt),
        actions: ({ id, label, hint, revokedAt }) =>
          revokedAt === null ? (
            <RowConfirm act="revoke" t={t} of={{ label: label || hint }} onConfirm={() => revoke(id)} />
          ) : (
            <Toned tone="off">{t('revoked')}</Toned>
          ),
      }}
    />
  );
}
