import type { Token } from '@landfall/api-client';
import { Button, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/client.ts';
import { Confirm } from '../page/confirm.tsx';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import { Ago } from '../time.tsx';

const TOKENS = '/api/manage/teams/{teamId}/tokens';

export interface TeamTokensProps {
  teamId: string;
  /** The names of the members, by their ids. */
  names: ReadonlyMap<string, string>;
  timeZone: string;
}

/** The live tokens with which programs act for members of the team. An admin can end each of them. */
export function TeamTokens({ teamId, names, timeZone }: TeamTokensProps) {
  const t = useTranslations('tokens');
  const queries = useQueryClient();
  const tokensQuery = api.queryOptions('get', TOKENS, { params: { path: { teamId } } });
  const query = useQuery(tokensQuery);
  const [revoked, setRevoked] = useState<Token | null>(null);
  async function revoke(tokenId: string) {
    await client.DELETE(`${TOKENS}/{tokenId}`, { params: { path: { teamId, tokenId } } });
    await queries.invalidateQueries(tokensQuery);
  }
  const shown = (token: Token) => token.label || token.hint;
  return (
    <Section title={t('ofTeam')}>
      <Text size="sm">{t('ofTeamText')}</Text>
      <Loaded query={query} rows={2}>
        {({ tokens }) => {
          const live = tokens.filter(({ revokedAt }) => revokedAt === null);
          if (live.length === 0) return <Text size="sm">{t('noneOfTeam')}</Text>;
          return (
            <Table.ScrollContainer minWidth={560}>
              <Table verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('label')}</Table.Th>
                    <Table.Th>{t('person')}</Table.Th>
                    <Table.Th>{t('scope')}</Table.Th>
                    <Table.Th>{t('lastUsed')}</Table.Th>
                    <Table.Th>{t('expires')}</Table.Th>
                    <Table.Th>{t('actions')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {live.map((token) => (
                    <Table.Tr key={token.id}>
                      <Table.Td>
                        {token.label || t('unnamed')}{' '}
                        <Text span size="sm" ff="monospace">
                          {token.hint}
                        </Text>
                      </Table.Td>
                      <Table.Td>{names.get(token.userId)}</Table.Td>
                      <Table.Td>{t(`scopes.${token.scope}`)}</Table.Td>
                      <Table.Td>
                        {token.lastUsedAt ? <Ago at={token.lastUsedAt} timeZone={timeZone} /> : t('never')}
                      </Table.Td>
                      <Table.Td>
                        {token.expiresAt ? <Ago at={token.expiresAt} timeZone={timeZone} /> : t('never')}
                      </Table.Td>
                      <Table.Td>
                        <Button
                          size="compact-sm"
                          variant="default"
                          onClick={() => setRevoked(token)}
                          aria-label={t('revokeNamed', { label: shown(token) })}
                        >
                          {t('revoke')}
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          );
        }}
      </Loaded>
      <Confirm
        title={t('revoke')}
        opened={revoked !== null}
        onClose={() => setRevoked(null)}
        onConfirm={() => revoke(revoked!.id)}
        danger
      >
        <Text>{t('revokeText', { label: revoked ? shown(revoked) : '' })}</Text>
      </Confirm>
    </Section>
  );
}
