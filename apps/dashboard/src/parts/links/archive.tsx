// Archives links, with a way back.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import { client } from '../../api/index.ts';
import { useCommand } from '../page/use-command.ts';

/** Archives a link, or takes that back. */
export function useArchive(linkId: string) {
  const t = useTranslations('link');
  const edit = useCommand(async (archived: boolean): Promise<void> => {
    await client.PATCH('/api/manage/links/{linkId}', { params: { path: { linkId } }, body: { archived } });
    if (archived) tellArchived(linkId, t('wasArchived'), t('undo'), () => edit.mutate(false));
    else notifications.hide(linkId);
  });
  return edit;
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
