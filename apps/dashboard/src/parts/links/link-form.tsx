import type { Link } from '@landfall/api-client';
import { JsonInput, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, useApp } from '../../api/index.ts';
import { useAttemptKey } from '../forms/attempt-key.ts';
import { changesOf, objectOf } from '../forms/changes.ts';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { WindowButton } from '../page/buttons.tsx';
import { instantIn, wallIn } from '../time-zone.ts';
import { SOCIAL, takeFields, withFields } from './metadata-fields.ts';
import { SocialFields } from './social-fields.tsx';

interface LinkValues {
  destination: string;
  metadata: Readonly<Record<string, unknown>>;
  /** A time on the wall of the app's zone, or nothing. */
  expiresAt: string;
}

/** The changes of a person, as the API takes them. A date field holds no seconds, and not which of two equal hours. */
interface LinkChange {
  destination?: string;
  metadata?: Record<string, never>;
  expiresAt?: string | null;
}

interface LinkFormProps<Stored> {
  initial: LinkValues;
  submit: string;
  /** When it rejects, the form shows why, and the input stays. */
  store: (change: LinkChange) => Promise<Stored>;
  onStored: (stored: Stored) => void;
  onClose: () => void;
}

function LinkForm<Stored>({ initial, submit, store, onStored, onClose }: LinkFormProps<Stored>) {
  const t = useTranslations('newLink');
  const { timeZone, labels, name } = useApp();
  const [{ fields, rest }] = useState(() => takeFields(initial.metadata, [...labels, ...SOCIAL]));
  const [entered, setEntered] = useState(fields);
  const enter = (key: string, value: string) => setEntered((before) => ({ ...before, [key]: value }));
  const before = {
    destination: initial.destination,
    metadata: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '',
    expiresAt: initial.expiresAt,
  };
  const form = useCommandForm(t, {
    initialValues: before,
    validate: {
      destination: (value) => (value.trim() === '' ? t('destinationMissing') : null),
      metadata: (value) => (objectOf(value) ? null : t('metadataInvalid')),
    },
    send: (values) => store(changeOf(values)),
    onSuccess: onStored,
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
  return (
    <CommandForm form={form} submit={submit} onCancel={onClose} noValidate>
      <TextInput required data-autofocus {...form.field('destination')} />
      {labels.map((label) => (
        <TextInput
          key={label}
          label={label}
          description={t('labelHelp')}
          value={entered[label] ?? ''}
          onChange={({ currentTarget: { value } }) => enter(label, value)}
        />
      ))}
      <JsonInput validationError={t('metadataInvalid')} autosize minRows={3} {...form.field('metadata')} />
      <TextInput type="datetime-local" {...form.field('expiresAt')} description={t('expiresHelp', { timeZone })} />
      <SocialFields appName={name} fields={entered} onChange={enter} />
    </CommandForm>
  );
}

export function NewLink({ onClose }: { onClose: () => void }) {
  const t = useTranslations('newLink');
  const { id: appId } = useApp();
  const navigate = useNavigate();
  const keyOf = useAttemptKey();
  async function create(change: LinkChange) {
    const body = { destination: '', ...change };
    const { data } = await client.POST('/api/manage/apps/{appId}/links', {
      params: { path: { appId }, header: { 'Idempotency-Key': keyOf(body) } },
      body,
    });
    return data!.link;
  }
  return (
    <Modal opened onClose={onClose} title={t('title')}>
      <LinkForm
        initial={{ destination: '', metadata: {}, expiresAt: '' }}
        submit={t('submit')}
        store={create}
        onStored={({ id: linkId }) => navigate({ to: '/apps/$appId/links/$linkId', params: { appId, linkId } })}
        onClose={onClose}
      />
    </Modal>
  );
}

/** Changes a link at the version that the person sees. Somebody else's later change is refused, and told. */
export function EditLink({ link: { id: linkId, version, destination, metadata, expiresAt } }: { link: Link }) {
  const t = useTranslations('link');
  const { timeZone } = useApp();
  const edit = (body: LinkChange) =>
    client.PATCH('/api/manage/links/{linkId}', {
      params: { path: { linkId }, header: { 'If-Match': `"${version}"` } },
      body,
    });
  return (
    <WindowButton variant="default" title={t('edit')}>
      {(close) => (
        <LinkForm
          initial={{ destination, metadata, expiresAt: expiresAt === null ? '' : wallIn(expiresAt, timeZone) }}
          submit={t('save')}
          store={edit}
          onStored={() => {
            notifications.show({ message: t('edited') });
            close();
          }}
          onClose={close}
        />
      )}
    </WindowButton>
  );
}
