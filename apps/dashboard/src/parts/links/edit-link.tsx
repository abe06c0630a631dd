import type { Link } from '@landfall/api-client';
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/apps.ts';
import { client } from '../../api/client.ts';
import { wallIn } from '../time-zone.ts';
import { type LinkChange, LinkForm } from './link-form.tsx';
import { linkChanged } from './queries.ts';

/** Changes a link at the version that the person sees. Somebody else's later change is refused, and told. */
export function EditLink({ link }: { link: Link }) {
  const t = useTranslations('link');
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const { timeZone } = useApp(link.appId);
  async function edit(body: LinkChange) {
    await client.PATCH('/api/manage/links/{linkId}', {
      params: { path: { linkId: link.id }, header: { 'If-Match': `"${link.version}"` } },
      body,
    });
    await linkChanged(queries, link.id);
    notifications.show({ message: t('edited') });
    close();
  }
  const initial = {
    destination: link.destination,
    metadata: link.metadata,
    expiresAt: link.expiresAt === null ? '' : wallIn(link.expiresAt, timeZone),
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('edit')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('edit')}>
        <LinkForm appId={link.appId} initial={initial} submit={t('save')} onSubmit={edit} onClose={close} />
      </Modal>
    </>
  );
}
