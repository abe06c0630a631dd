import { Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/index.ts';
import { Confirm } from '../page/buttons.tsx';
import { Loaded, Section } from '../page/page.tsx';
import { useCommand } from '../page/use-command.ts';

/** @param without the number of members who have no second factor */
export function NeedsSecondFactor({ teamId, without }: { teamId: string; without: number }) {
  const t = useTranslations('members');
  const path = { path: { teamId } };
  const query = api.useQuery('get', '/api/manage/teams/{teamId}', { params: path });
  const [asks, ask] = useState(false);
  const send = ({ needs, version }: { needs: boolean; version: number }) =>
    client.PATCH('/api/manage/teams/{teamId}', {
      params: { ...path, header: { 'If-Match': `"${version}"` } },
      body: { needsSecondFactor: needs },
    });
  const change = useCommand(send);
  return (
    <Section title={t('safety')}>
      <Loaded query={query} rows={2}>
        {({ team: { needsSecondFactor, version } }) => (
          <>
            <Switch
              label={t('needsSecondFactor')}
              description={t('needsSecondFactorHelp')}
              checked={needsSecondFactor}
              disabled={change.isPending}
              onChange={() => (needsSecondFactor ? change.mutate({ needs: false, version }) : ask(true))}
            />
            <Confirm
              opened={asks}
              onClose={() => ask(false)}
              title={t('askSecondFactor')}
              text={t('askSecondFactorText', { without })}
              action={t('askSecondFactorYes')}
              danger={without > 0}
              onConfirm={() => send({ needs: true, version })}
            />
          </>
        )}
      </Loaded>
      <Text>{t('without', { without })}</Text>
    </Section>
  );
}
