import type { Key } from '@landfall/api-client';
import { Badge, Button, Modal, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '../../../api/apps.ts';
import { api, client } from '../../../api/client.ts';
import { ShownOnce } from '../../../parts/copy.tsx';
import { CommandForm, fieldsOf, useFormCommand } from '../../../parts/forms/form.tsx';
import { ConfirmButton, rowButton, WindowButton } from '../../../parts/page/buttons.tsx';
import { type Columns, DataTable } from '../../../parts/page/data-table.tsx';
import { Loaded, Page } from '../../../parts/page/page.tsx';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/keys')({ component: Keys });

type KeyState = 'live' | 'ending' | 'expired' | 'revoked';

function stateOf({ revokedAt, expiresAt }: Key): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'live';
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : 'ending';
}

/** The time until which a key is or was valid. Null: it has no end. */
const endOf = ({ revokedAt, expiresAt }: Key): string | null => revokedAt ?? expiresAt;

function Keys() {
  const t = useTranslations('keys');
  const { appId } = Route.useParams();
  const mayChange = useMay(appId, 'admin');
  const query = api.useQuery('get', '/api/manage/apps/{appId}/keys', { params: { path: { appId } } });
  const [rotated, setRotated] = useState<Key | null>(null);
  const timeOf = (time: string | null) => time && <Ago at={time} />;
  const columns: Columns<Key> = [
    {
      heading: t('label'),
      cell: ({ label, hint }) => (
        <>
          {label}{' '}
          <Text span size="sm" ff="monospace">
            {hint}
          </Text>
        </>
      ),
    },
    { heading: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
    {
      heading: t('state'),
      cell: (key) => <Badge color={stateOf(key) === 'live' ? 'teal.9' : 'gray.8'}>{t(`states.${stateOf(key)}`)}</Badge>,
    },
    { heading: t('validUntil'), cell: (key) => timeOf(endOf(key)) ?? t('noEnd') },
    { heading: t('lastUsed'), cell: ({ lastUsedAt }) => timeOf(lastUsedAt) ?? t('never') },
    { heading: t('created'), cell: ({ createdAt }) => timeOf(createdAt) },
    mayChange && {
      heading: t('actions'),
      cell: (key) => (
        <>
          {stateOf(key) === 'live' && (
            <Button
              {...rowButton}
              mr="xs"
              onClick={() => setRotated(key)}
              aria-label={t('rotateNamed', { label: key.label })}
            >
              {t('rotate')}
            </Button>
          )}
          {(stateOf(key) === 'live' || stateOf(key) === 'ending') && (
            <RevokeKey appId={appId} keyId={key.id} label={key.label} />
          )}
        </>
      ),
    },
  ];
  return (
    <Page
      title={t('title')}
      actions={
        mayChange && (
          <WindowButton title={t('create')}>{(close) => <CreateKey appId={appId} onClose={close} />}</WindowButton>
        )
      }
    >
      <Text>{t('intro')}</Text>
      <Loaded query={query}>
        {({ keys }) => <DataTable minWidth={680} rows={keys} rowKey="id" empty={t('empty')} columns={columns} />}
      </Loaded>
      <Modal opened={rotated !== null} onClose={() => setRotated(null)} title={t('rotate')}>
        {rotated && <RotateKey rotated={rotated} onClose={() => setRotated(null)} />}
      </Modal>
    </Page>
  );
}

function CreateKey({ appId, onClose }: { appId: string; onClose: () => void }) {
  const t = useTranslations('keys');
  const form = useForm({ initialValues: { label: '', kind: 'mobile' } });
  const field = fieldsOf(form, t);
  const create = useFormCommand(form, {
    mutationFn: ({ label, kind }) =>
      client.POST('/api/manage/apps/{appId}/keys', {
        params: { path: { appId } },
        body: { label, kind: kind as Key['kind'] },
      }),
  });
  if (create.data?.data) return <ShownOnce value={create.data.data.plaintext} t={t} onClose={onClose} />;
  return (
    <CommandForm form={form} command={create} submit={t('create')}>
      <TextInput required data-autofocus {...field('label')} />
      <Select
        data={(['mobile', 'server'] as const).map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
        {...field('kind')}
      />
    </CommandForm>
  );
}

const OVERLAPS = ['0', '3600', '86400', '604800', '2592000'] as const;

function RotateKey({ rotated: { id: keyId, appId, label, kind }, onClose }: { rotated: Key; onClose: () => void }) {
  const t = useTranslations('keys');
  const form = useForm({ initialValues: { overlap: '86400' } });
  const rotate = useFormCommand(form, {
    mutationFn: ({ overlap }) =>
      client.POST('/api/manage/apps/{appId}/keys/{keyId}/rotate', {
        params: { path: { appId, keyId } },
        body: { overlapSeconds: Number(overlap) },
      }),
  });
  if (rotate.data?.data) return <ShownOnce value={rotate.data.data.plaintext} t={t} onClose={onClose} />;
  return (
    <CommandForm form={form} command={rotate} submit={t('rotate')} onCancel={onClose}>
      <Text>{t('rotateText', { label })}</Text>
      <Select
        description={kind === 'mobile' && t('overlapMobile')}
        data={OVERLAPS.map((value) => ({ value, label: t(`overlaps.${value}`) }))}
        {...fieldsOf(form, t)('overlap')}
      />
    </CommandForm>
  );
}

/** A revoked key cannot come back, so the person sees first how much it is used. */
function RevokeKey({ appId, keyId, label }: { appId: string; keyId: string; label: string }) {
  const t = useTranslations('keys');
  const path = { params: { path: { appId, keyId } } };
  const revoke = () => client.DELETE('/api/manage/apps/{appId}/keys/{keyId}', path);
  return (
    <ConfirmButton
      {...rowButton}
      title={t('revoke')}
      aria-label={t('revokeNamed', { label })}
      onConfirm={revoke}
      danger
      text={t('revokeText', { label })}
    >
      <Usage appId={appId} keyId={keyId} />
    </ConfirmButton>
  );
}

function Usage({ appId, keyId }: { appId: string; keyId: string }) {
  const t = useTranslations('keys');
  const path = { params: { path: { appId, keyId } } };
  const usage = api.useQuery('get', '/api/manage/apps/{appId}/keys/{keyId}/usage', path);
  return (
    <Loaded query={usage} rows={1}>
      {({ requests24h }) => <Text fw={600}>{t('requests', { count: requests24h ?? 0 })}</Text>}
    </Loaded>
  );
}
