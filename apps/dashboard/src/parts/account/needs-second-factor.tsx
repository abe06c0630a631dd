import { Switch, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/index.ts';
import { Loaded, Section } from '../page/page.tsx';
import { useCommand } from '../page/use-command.ts';

/** @param without the number of members who have no second factor */
export function NeedsSecondFactor({ teamId, without }: { teamId: string; without: number }) {
  const t = useTranslations('members');
  const path = { path: { teamId } };
  const query = api.useQuery('get', '/api/manage/teams/{teamId}', { params: path });
  const change = useCommand(({ needs, version }: { needs: boolean; version: number }) =>
    client.PATCH('/api/manage/teams/{teamId}', {
      params: { ...path, header: { 'If-Match': `"${version}"` } },
      body: { needsSecondFactor: needs },
    }),
  );
  return (
    <Section title={t('safety')}>
      <Loaded query={query} rows={2}>
        {({ team: { needsSecondFactor, version } }) => (
          <Switch
            label={t('needsSecondFactor')}
            description={t('needsSecondFactorHelp')}
            checked={needsSecondFactor}
            disabled={change.isPending}
            onChange={({ currentTarget }) => change.mutate({ needs: currentTarget.checked, version })}
          />
        )}
      </Loaded>
      <Text>{t('without', { without })}</Text>
    </Section>
  );
}
