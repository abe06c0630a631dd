import type { App } from '@landfall/api-client';
import { Group, Select, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '../../api/apps.ts';
import { client } from '../../api/client.ts';
import { meQuery } from '../../api/session.ts';
import { ConfirmButton } from '../page/buttons.tsx';
import { Section } from '../page/page.tsx';

/** What changes who has the app, and whether it works at all. */
export function DangerZone({ app }: { app: App }) {
  const t = useTranslations('danger');
  const { teams } = useSuspenseQuery(meQuery()).data;
  const mayTransfer = useMay(app.id, 'owner');
  const [teamId, setTeamId] = useState<string | null>(null);
  const path = { params: { path: { appId: app.id } } };
  const isArchived = app.archivedAt !== null;
  const others = teams.filter(({ id, role }) => id !== app.teamId && role === 'owner');
  const archive = () => client.PATCH('/api/manage/apps/{appId}', { ...path, body: { archived: !isArchived } });
  const transfer = () => client.POST('/api/manage/apps/{appId}/transfer', { ...path, body: { teamId: teamId! } });
  return (
    <Section title={t('title')} maw={640}>
      <Text size="sm">{t(isArchived ? 'archivedText' : 'archiveText')}</Text>
      <Group>
        <ConfirmButton
          color="red.9"
          variant={isArchived ? 'default' : 'filled'}
          title={t(isArchived ? 'restore' : 'archive')}
          onConfirm={archive}
          danger={!isArchived}
          text={t(isArchived ? 'restoreConfirm' : 'archiveConfirm', { name: app.name })}
        />
      </Group>
      {mayTransfer && others.length > 0 && (
        <>
          <Text size="sm">{t('transferText')}</Text>
          <Group align="flex-end">
            <Select
              label={t('team')}
              data={others.map(({ id, name }) => ({ value: id, label: name }))}
              value={teamId}
              onChange={setTeamId}
            />
            <ConfirmButton
              color="red.9"
              disabled={teamId === null}
              title={t('transfer')}
              onConfirm={transfer}
              danger
              text={t('transferConfirm', { name: app.name, team: others.find(({ id }) => id === teamId)?.name ?? '' })}
            />
          </Group>
        </>
      )}
    </Section>
  );
}
