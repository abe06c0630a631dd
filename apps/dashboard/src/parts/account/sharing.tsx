import { Select } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/index.ts';
import { Loaded, Section } from '../page/page.tsx';
import { useCommand } from '../page/use-command.ts';

const CHOICES = ['members', 'admins', 'off'] as const;
type Choice = (typeof CHOICES)[number];

/** Who in a team may share figures with people without an account. */
export function Sharing({ teamId }: { teamId: string }) {
  const t = useTranslations('members');
  const path = { path: { teamId } };
  const query = api.useQuery('get', '/api/manage/teams/{teamId}', { params: path });
  const change = useCommand(({ sharing, version }: { sharing: Choice; version: number }) =>
    client.PATCH('/api/manage/teams/{teamId}', {
      params: { ...path, header: { 'If-Match': `"${version}"` } },
      body: { sharing },
    }),
  );
  return (
    <Section title={t('sharing')}>
      <Loaded query={query} rows={2}>
        {({ team: { sharing, version } }) => (
          <Select
            label={t('mayShare')}
            description={t('mayShareHelp')}
            maw={420}
            data={CHOICES.map((value) => ({ value, label: t(`sharings.${value}`) }))}
            value={sharing}
            disabled={change.isPending}
            onChange={(value) => change.mutate({ sharing: value as Choice, version })}
          />
        )}
      </Loaded>
    </Section>
  );
}
