import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { client } from '../../api/client.ts';
import { useAttemptKey } from '../forms/attempt-key.ts';
import { type LinkChange, LinkForm } from './link-form.tsx';

export interface NewLinkProps {
  appId: string;
  opened: boolean;
  onClose: () => void;
}

/** The form for a new link, over the page. */
export function NewLink({ appId, opened, onClose }: NewLinkProps) {
  const t = useTranslations('newLink');
  return (
    <Modal opened={opened} onClose={onClose} title={t('title')}>
      <NewLinkForm appId={appId} onClose={onClose} />
    </Modal>
  );
}

function NewLinkForm({ appId, onClose }: Omit<NewLinkProps, 'opened'>) {
  const t = useTranslations('newLink');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const keyOf = useAttemptKey();
  async function create(change: LinkChange) {
    const body = { destination: '', ...change };
    const { data } = await client.POST('/api/manage/apps/{appId}/links', {
      params: { path: { appId }, header: { 'Idempotency-Key': keyOf(body) } },
      body,
    });
    await queries.invalidateQueries({ queryKey: ['get', '/api/manage/apps/{appId}/links'] });
    await navigate({ to: '/apps/$appId/links/$linkId', params: { appId, linkId: data!.link.id } });
  }
  const initial = { destination: '', metadata: {}, expiresAt: '' };
  return <LinkForm appId={appId} initial={initial} submit={t('submit')} onSubmit={create} onClose={onClose} />;
}
