import type { Token } from '@landfall/api-client';
import { Badge, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/client.ts';
import { meQuery } from '../../api/session.ts';
import { ShownOnce } from '../copy.tsx';
import { CommandForm, fieldsOf, useFormCommand } from '../forms/form.tsx';
import { ConfirmButton, rowButton, WindowButton } from '../page/buttons.tsx';
import { type Columns, DataTable } from '../page/data-table.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { Ago } from '../time.tsx';

/** The person's tokens, with which programs act for them in one team. */
export function Tokens() {
  const t = useTranslations('tokens');
  const query = api.useQuery('get', '/api/manage/me/tokens');
  const { teams } = useSuspenseQuery(meQuery()).data;
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
      <Text>{t('intro')}</Text>
      <Loaded query={query} rows={2}>
        {({ tokens }) => <TokenTable tokens={tokens} empty={t('empty')} of="team" nameOf={teamOf} revoke={revoke} />}
      </Loaded>
    </Section>
  );
}

const LIVES = ['30', '90', '365', 'never'] as const;

function TokenForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('tokens');
  const { teams } = useSuspenseQuery(meQuery()).data;
  const form = useForm({ initialValues: { label: '', teamId: teams[0]?.id ?? '', scope: 'read', expires: '90' } });
  const field = fieldsOf(form, t);
  const make = useFormCommand(form, {
    mutationFn: ({ label, teamId, scope, expires }) =>
      client.POST('/api/manage/me/tokens', {
        body: {
          label,
          teamId,
          scope: scope as Token['scope'],
          expiresAt: expires === 'never' ? null : new Date(Date.now() + Number(expires) * 86_400_000).toISOString(),
        },
      }),
  });
  if (make.data?.data) return <ShownOnce value={make.data.data.plaintext} t={t} onClose={onClose} />;
  return (
    <CommandForm form={form} command={make} submit={t('create')}>
      <TextInput required data-autofocus {...field('label')} />
      <Select
        label={t('team')}
        data={teams.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('teamId')}
      />
      <Select
        data={(['read', 'write'] as const).map((value) => ({ value, label: t(`scopes.${value}`) }))}
        {...field('scope')}
      />
      <Select data={LIVES.map((value) => ({ value, label: t(`lives.${value}`) }))} {...field('expires')} />
    </CommandForm>
  );
}

export interface TeamTokensProps {
  teamId: string;
  /** The names of the members, by their ids. */
  names: ReadonlyMap<string, string>;
}

const TOKENS = '/api/manage/teams/{teamId}/tokens';

/** The live tokens with which programs act for members of the team. An admin can end each of them. */
export function TeamTokens({ teamId, names }: TeamTokensProps) {
  const t = useTranslations('tokens');
  const query = api.useQuery('get', TOKENS, { params: { path: { teamId } } });
  const revoke = (tokenId: string) => client.DELETE(`${TOKENS}/{tokenId}`, { params: { path: { teamId, tokenId } } });
  return (
    <Section title={t('ofTeam')}>
      <Text size="sm">{t('ofTeamText')}</Text>
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
  /** The text instead of an empty table. */
  empty: string;
  /** The column that tells the tokens apart: the team or the person. */
  of: 'team' | 'person';
  nameOf(token: Token): string | undefined;
  revoke(tokenId: string): Promise<unknown>;
}

/** Tokens, each with a button that ends it after a question. */
function TokenTable({ tokens, empty, of, nameOf, revoke }: TokenTableProps) {
  const t = useTranslations('tokens');
  const timeOf = (time: string | null) => (time ? <Ago at={time} /> : t('never'));
  const columns: Columns<Token> = [
    {
      heading: t('label'),
      cell: ({ label, hint }) => (
        <>
          {label || t('unnamed')}{' '}
          <Text span size="sm" ff="monospace">
            {hint}
          </Text>
        </>
      ),
    },
    { heading: t(of), cell: nameOf },
    { heading: t('scope'), cell: ({ scope }) => t(`scopes.${scope}`) },
    { heading: t('lastUsed'), cell: ({ lastUsedAt }) => timeOf(lastUsedAt) },
    { heading: t('expires'), cell: ({ expiresAt }) => timeOf(expiresAt) },
    {
      heading: t('actions'),
      cell: ({ id, label, hint, revokedAt }) =>
        revokedAt !== null ? (
          <Badge color="gray.8">{t('revoked')}</Badge>
        ) : (
          <ConfirmButton
            {...rowButton}
            title={t('revoke')}
            aria-label={t('revokeNamed', { label: label || hint })}
            onConfirm={() => revoke(id)}
            danger
            text={t('revokeText', { label: label || hint })}
          />
        ),
    },
  ];
  return <DataTable minWidth={640} rows={tokens} rowKey="id" empty={empty} columns={columns} />;
}
