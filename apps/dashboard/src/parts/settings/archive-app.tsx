import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client, useApp } from '../../api/index.ts';
import { ConfirmButton } from '../page/buttons.tsx';
import { Loaded } from '../page/page.tsx';

/** Archives the app when its name was typed, or restores it. */
export function ArchiveApp() {
  const t = useTranslations('danger');
  const app = useApp();
  const [typed, setTyped] = useState('');
  const path = { params: { path: { appId: app.id } } };
  const change = (archived: boolean) => client.PATCH('/api/manage/apps/{appId}', { ...path, body: { archived } });
  if (app.archivedAt !== null)
    return (
      <ConfirmButton
        color="red.9"
        variant="default"
        title={t('restore')}
        text={t('restoreConfirm', { name: app.name })}
        onConfirm={() => change(false)}
      />
    );
  return (
    <ConfirmButton
      color="red.9"
      title={t('archive')}
      text={t('archiveConfirm', { name: app.name })}
      // A name may begin or end with spaces that nobody sees.
      mayConfirm={typed.trim() === app.name.trim()}
      onConfirm={() => change(true)}
      danger
    >
      <LiveLinks appId={app.id} />
      <TextInput
        label={t('typeName', { name: app.name })}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </ConfirmButton>
  );
}

function LiveLinks({ appId }: { appId: string }) {
  const t = useTranslations('danger');
  const query = api.useQuery('get', '/api/manage/apps/{appId}/links/count', { params: { path: { appId } } });
  return (
    <Loaded query={query} rows={1}>
      {({ live }) => (
        <Text size="md" fw={600}>
          {t('liveLinks', { live })}
        </Text>
      )}
    </Loaded>
  );
}
