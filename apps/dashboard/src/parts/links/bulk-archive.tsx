import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client } from '../../api/index.ts';
import { useFailureToast } from '../page/use-command.ts';

/** Requests at a time. The limit of the API is far above it. */
const AT_ONCE = 4;

/** Archives the selected links, with progress and a way back. `onDone`: nothing is left to archive. */
export function BulkArchive({ selected, onDone }: { selected: readonly string[]; onDone: () => void }) {
  const t = useTranslations('links');
  const queries = useQueryClient();
  const tell = useFailureToast();
  const [done, setDone] = useState(0);

  async function change(ids: readonly string[], archived: boolean): Promise<void> {
    const limit = pLimit(AT_ONCE);
    setDone(0);
    await limit.map(ids, async (linkId) => {
      await client.PATCH('/api/manage/links/{linkId}', { params: { path: { linkId } }, body: { archived } });
      setDone((before) => before + 1);
    });
  }
  const renew = () => queries.invalidateQueries({ queryKey: ['get', '/api/manage/apps/{appId}/links'] });
  const archive = useMutation({
    mutationFn: (ids: readonly string[]) => change(ids, true),
    onSuccess(_, ids) {
      onDone();
      const undo = () => void change(ids, false).catch(tell).finally(renew);
      tellArchived('links', t('wereArchived', { count: ids.length }), t('undo'), undo);
    },
    onError: tell,
    onSettled: renew,
  });
  if (selected.length === 0) return null;
  return (
    <Paper withBorder p="xs" pos="sticky" top={60} style={{ zIndex: 1 }} role="region" aria-label={t('selection')}>
      <Group justify="space-between">
        <Text role="status">{t('selected', { count: selected.length })}</Text>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={onDone}>
            {t('selectNone')}
          </Button>
          <Button size="compact-sm" loading={archive.isPending} onClick={() => archive.mutate(selected)}>
            {t('archive')}
          </Button>
        </Group>
      </Group>
      {archive.isPending && <Progress mt="xs" value={(100 * done) / selected.length} aria-label={t('progress')} />}
    </Paper>
  );
}

export function tellArchived(id: string, title: string, undo: string, onUndo: () => void): void {
  const way = () => {
    notifications.hide(id);
    onUndo();
  };
  const message = (
    <Button size="compact-sm" variant="default" mt={4} onClick={way}>
      {undo}
    </Button>
  );
  notifications.show({ id, autoClose: 10_000, title, message });
}
