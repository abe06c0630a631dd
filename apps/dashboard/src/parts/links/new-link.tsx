import { Button, Group, JsonInput, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { client } from '../../api/client.ts';
import { showFaults } from '../forms/form-faults.ts';
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
  // A second attempt after a lost answer finds the link of the first. Another input is another request.
  const attempt = useRef({ input: '', key: '' });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { destination: '', metadata: '', expiresAt: '' },
    validate: {
      destination: (value) => (value.trim() === '' ? t('destinationMissing') : null),
      metadata: (value) => (isObject(value) ? null : t('metadataInvalid')),
    },
  });
  const create = useMutation({
    mutationFn({ destination, metadata, expiresAt }: typeof form.values) {
      const input = JSON.stringify([destination, metadata, expiresAt]);
      if (attempt.current.input !== input) attempt.current = { input, key: randomKey() };
      return client.POST('/api/manage/apps/{appId}/links', {
        params: { path: { appId }, header: { 'Idempotency-Key': attempt.current.key } },
        body: {
          destination: destination.trim(),
          ...(metadata.trim() !== '' && { metadata: JSON.parse(metadata) }),
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

function isObject(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** 128 bits as hexadecimal digits. `crypto.randomUUID` exists only under https and on localhost. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
