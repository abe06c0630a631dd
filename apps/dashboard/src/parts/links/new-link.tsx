import { Button, Group, JsonInput, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client } from '../../api/client.ts';
import { useAttemptKey } from '../forms/attempt-key.ts';
import { showFaults } from '../forms/form-faults.ts';
import { objectOf } from '../forms/json-text.ts';
import { FailureAlert } from '../page/failure-alert.tsx';

export interface NewLinkProps {
  appId: string;
  opened: boolean;
  onClose: () => void;
}

/** The form for a new link, over the page. Its input stays when the request fails. */
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
  const [failure, setFailure] = useState<unknown>(null);
  const keyOf = useAttemptKey();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { destination: '', metadata: '', expiresAt: '' },
    validate: {
      destination: (value) => (value.trim() === '' ? t('destinationMissing') : null),
      metadata: (value) => (objectOf(value) ? null : t('metadataInvalid')),
    },
  });
  const create = useMutation({
    mutationFn({ destination, metadata, expiresAt }: typeof form.values) {
      return client.POST('/api/manage/apps/{appId}/links', {
        params: { path: { appId }, header: { 'Idempotency-Key': keyOf([destination, metadata, expiresAt]) } },
        body: {
          destination: destination.trim(),
          metadata: objectOf(metadata) ?? {},
          ...(expiresAt !== '' && { expiresAt: new Date(expiresAt).toISOString() }),
        },
      });
    },
    async onSuccess({ data }) {
      await queries.invalidateQueries({ queryKey: ['get', '/api/manage/apps/{appId}/links'] });
      await navigate({ to: '/apps/$appId/links/$linkId', params: { appId, linkId: data!.link.id } });
    },
    onError(error) {
      setFailure(showFaults(form, error) ? null : error);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={t('destination')}
          description={t('destinationHelp')}
          required
          data-autofocus
          key={form.key('destination')}
          {...form.getInputProps('destination')}
        />
        <JsonInput
          label={t('metadata')}
          description={t('metadataHelp')}
          autosize
          minRows={3}
          key={form.key('metadata')}
          {...form.getInputProps('metadata')}
        />
        <TextInput
          type="datetime-local"
          label={t('expiresAt')}
          description={t('expiresHelp')}
          key={form.key('expiresAt')}
          {...form.getInputProps('expiresAt')}
        />
        {failure !== null && <FailureAlert error={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
