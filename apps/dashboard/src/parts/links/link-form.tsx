import { Button, Group, JsonInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/apps.ts';
import { changesOf } from '../forms/changes.ts';
import { showFaults } from '../forms/form-faults.ts';
import { objectOf } from '../forms/json-text.ts';
import { FailureAlert } from '../page/failure-alert.tsx';
import { instantIn } from '../time-zone.ts';
import { SOCIAL, takeFields, withFields } from './metadata-fields.ts';
import { SocialFields } from './social-fields.tsx';

/** What a person enters. */
export interface LinkValues {
  destination: string;
  /** All of it. */
  metadata: Readonly<Record<string, unknown>>;
  /** A time on the wall of the app's zone, or nothing. */
  expiresAt: string;
}

/** The changes of a person, as the API takes them. A date field holds no seconds, and not which of two equal hours. */
export interface LinkChange {
  destination?: string;
  metadata?: Record<string, never>;
  expiresAt?: string | null;
}

export interface LinkFormProps {
  appId: string;
  initial: LinkValues;
  submit: string;
  /** Stores the link. When it rejects, the form shows why, and the input stays. */
  onSubmit: (change: LinkChange) => Promise<unknown>;
  onClose: () => void;
}

export function LinkForm({ appId, initial, submit, onSubmit, onClose }: LinkFormProps) {
  const t = useTranslations('newLink');
  const { timeZone, labels, name } = useApp(appId);
  const [{ fields, rest }] = useState(() => takeFields(initial.metadata, [...labels, ...SOCIAL]));
  const [entered, setEntered] = useState(fields);
  const enter = (key: string, value: string) => setEntered((before) => ({ ...before, [key]: value }));
  const [failure, setFailure] = useState<unknown>(null);
  const before = {
    destination: initial.destination,
    metadata: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '',
    expiresAt: initial.expiresAt,
  };
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: before,
    validate: {
      destination: (value) => (value.trim() === '' ? t('destinationMissing') : null),
      metadata: (value) => (objectOf(value) ? null : t('metadataInvalid')),
    },
  });
  function changeOf(values: typeof before): LinkChange {
    const { destination, metadata, expiresAt } = changesOf(before, values);
    const other = metadata === undefined ? rest : (objectOf(metadata) ?? {});
    const all = withFields(initial.metadata, other, entered) as NonNullable<LinkChange['metadata']>;
    return {
      ...(destination !== undefined && { destination: destination.trim() }),
      ...((metadata !== undefined || Object.keys(changesOf(fields, entered)).length > 0) && { metadata: all }),
      ...(expiresAt !== undefined && { expiresAt: instantIn(expiresAt, timeZone) }),
    };
  }
  const store = useMutation({
    mutationFn: (values: typeof before) => onSubmit(changeOf(values)),
    onError: (error) => setFailure(showFaults(form, error) ? null : error),
  });
  return (
    <form onSubmit={form.onSubmit((values) => store.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={t('destination')}
          description={t('destinationHelp')}
          required
          data-autofocus
          key={form.key('destination')}
          {...form.getInputProps('destination')}
        />
        {labels.map((label) => (
          <TextInput
            key={label}
            label={label}
            description={t('labelHelp')}
            value={entered[label] ?? ''}
            onChange={({ currentTarget: { value } }) => enter(label, value)}
          />
        ))}
        <JsonInput
          label={t('metadata')}
          description={t('metadataHelp')}
          validationError={t('metadataInvalid')}
          autosize
          minRows={3}
          key={form.key('metadata')}
          {...form.getInputProps('metadata')}
        />
        <TextInput
          type="datetime-local"
          label={t('expiresAt')}
          description={t('expiresHelp', { timeZone })}
          key={form.key('expiresAt')}
          {...form.getInputProps('expiresAt')}
        />
        <SocialFields appName={name} fields={entered} onChange={enter} />
        {failure !== null && <FailureAlert error={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={store.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
