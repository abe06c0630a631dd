import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/client.ts';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import { TokenTable } from './token-table.tsx';

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
  async function revoke(tokenId: string) {
    await client.DELETE(`${TOKENS}/{tokenId}`, { params: { path: { teamId, tokenId } } });
    await queries.invalidateQueries(tokensQuery);
  }
  return (
    <Section title={t('ofTeam')}>
      <Text size="sm">{t('ofTeamText')}</Text>
      <Loaded query={query} rows={2}>
        {({ tokens }) => {
          const live = tokens.filter(({ revokedAt }) => revokedAt === null);
          if (live.length === 0) return <Text size="sm">{t('noneOfTeam')}</Text>;
          const nameOf = ({ userId }: { userId: string }) => names.get(userId);
          return <TokenTable tokens={live} of="person" nameOf={nameOf} timeZone={timeZone} revoke={revoke} />;
        }}
      </Loaded>
    </Section>
  );
}
