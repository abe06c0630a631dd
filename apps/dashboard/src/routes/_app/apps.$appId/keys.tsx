import type { Key } from '@landfall/api-client';
import { Alert, Badge, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/apps.ts';
import { api, client } from '../../../api/client.ts';
import { CopyLine } from '../../../parts/copy.tsx';
import { showFaults } from '../../../parts/forms/form-faults.ts';
import { ConfirmButton } from '../../../parts/page/confirm.tsx';
import { type Columns, DataTable, rowButton } from '../../../parts/page/data-table.tsx';
import { FailureAlert } from '../../../parts/page/failure-alert.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { Page } from '../../../parts/page/page.tsx';
import { useMay } from '../../../parts/roles.ts';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/keys')({ component: Keys });

const keysQuery = (appId: string) =>
  api.queryOptions('get', '/api/manage/apps/{appId}/keys', { params: { path: { appId } } });

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
  const { timeZone } = useApp(appId);
  const mayChange = useMay(appId, 'admin');
  const query = useQuery(keysQuery(appId));
  const [creating, create] = useDisclosure();
  const [rotated, setRotated] = useState<Key | null>(null);
  const timeOf = (time: string | null) => time && <Ago at={time} timeZone={timeZone} />;
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
    <Page title={t('title')} actions={mayChange && <Button onClick={create.open}>{t('create')}</Button>}>
      <Text>{t('intro')}</Text>
      <Loaded query={query}>
        {({ keys }) => <DataTable minWidth={680} rows={keys} rowKey="id" empty={t('empty')} columns={columns} />}
      </Loaded>
      <CreateKey appId={appId} opened={creating} onClose={create.close} />
      <RotateKey appId={appId} rotated={rotated} onClose={() => setRotated(null)} />
    </Page>
  );
}

/** The plaintext of a new key. It is shown until the person closes the window. */
function Plaintext({ value, onClose }: { value: string; onClose: () => void }) {
  const t = useTranslations('keys');
  return (
    <Stack>
      <Alert color="yellow" role="status" title={t('once')}>
        {t('onceText')}
      </Alert>
      <CopyLine value={value} label={t('copy')} />
      <Button onClick={onClose}>{t('saved')}</Button>
    </Stack>
  );
}

interface Dialog {
  appId: string;
  onClose: () => void;
}

function CreateKey({ appId, opened, onClose }: Dialog & { opened: boolean }) {
  const t = useTranslations('keys');
  return (
    <Modal opened={opened} onClose={onClose} title={t('create')}>
      <CreateKeyForm appId={appId} onClose={onClose} />
    </Modal>
  );
}

function CreateKeyForm({ appId, onClose }: Dialog) {
  const t = useTranslations('keys');
  const { queries } = Route.useRouteContext();
  const form = useForm({ mode: 'uncontrolled', initialValues: { label: '', kind: 'mobile' } });
  const create = useMutation({
    mutationFn: ({ label, kind }: typeof form.values) =>
      client.POST('/api/manage/apps/{appId}/keys', {
        params: { path: { appId } },
        body: { label, kind: kind as Key['kind'] },
      }),
    onSuccess: () => queries.invalidateQueries(keysQuery(appId)),
    onError: (error) => void showFaults(form, error),
  });
  if (create.data?.data) return <Plaintext value={create.data.data.plaintext} onClose={onClose} />;
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        <TextInput
          label={t('label')}
          description={t('labelHelp')}
          required
          data-autofocus
          key={form.key('label')}
          {...form.getInputProps('label')}
        />
        <Select
          label={t('kind')}
          allowDeselect={false}
          data={(['mobile', 'server'] as const).map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
          key={form.key('kind')}
          {...form.getInputProps('kind')}
        />
        <Text size="sm">{t('kindHelp')}</Text>
        {create.isError && <FailureAlert error={create.error} />}
        <Button type="submit" loading={create.isPending}>
          {t('create')}
        </Button>
      </Stack>
    </form>
  );
}

const OVERLAPS = ['0', '3600', '86400', '604800', '2592000'] as const;

function RotateKey({ appId, rotated, onClose }: Dialog & { rotated: Key | null }) {
  const t = useTranslations('keys');
  return (
    <Modal opened={rotated !== null} onClose={onClose} title={t('rotate')}>
      {rotated && <RotateKeyForm appId={appId} rotated={rotated} onClose={onClose} />}
    </Modal>
  );
}

function RotateKeyForm({ appId, rotated, onClose }: Dialog & { rotated: Key }) {
  const t = useTranslations('keys');
  const { queries } = Route.useRouteContext();
  const [overlap, setOverlap] = useState<string>('86400');
  const rotate = useMutation({
    mutationFn: () =>
      client.POST('/api/manage/apps/{appId}/keys/{keyId}/rotate', {
        params: { path: { appId, keyId: rotated.id } },
        body: { overlapSeconds: Number(overlap) },
      }),
    onSuccess: () => queries.invalidateQueries(keysQuery(appId)),
  });
  if (rotate.data?.data) return <Plaintext value={rotate.data.data.plaintext} onClose={onClose} />;
  return (
    <Stack>
      <Text>{t('rotateText', { label: rotated.label })}</Text>
      <Select
        label={t('overlap')}
        description={rotated.kind === 'mobile' && t('overlapMobile')}
        allowDeselect={false}
        data={OVERLAPS.map((value) => ({ value, label: t(`overlaps.${value}`) }))}
        value={overlap}
        onChange={(value) => value && setOverlap(value)}
      />
      {rotate.isError && <FailureAlert error={rotate.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button onClick={() => rotate.mutate()} loading={rotate.isPending}>
          {t('rotate')}
        </Button>
      </Group>
    </Stack>
  );
}

/** A revoked key cannot come back, so the person sees first how much it is used. */
function RevokeKey({ appId, keyId, label }: { appId: string; keyId: string; label: string }) {
  const t = useTranslations('keys');
  const { queries } = Route.useRouteContext();
  async function revoke() {
    await client.DELETE('/api/manage/apps/{appId}/keys/{keyId}', { params: { path: { appId, keyId } } });
    await queries.invalidateQueries(keysQuery(appId));
  }
  return (
    <ConfirmButton
      {...rowButton}
      title={t('revoke')}
      aria-label={t('revokeNamed', { label })}
      onConfirm={revoke}
      danger
    >
      <Text>{t('revokeText', { label })}</Text>
      <Usage appId={appId} keyId={keyId} />
    </ConfirmButton>
  );
}

function Usage({ appId, keyId }: { appId: string; keyId: string }) {
  const t = useTranslations('keys');
  const path = { appId, keyId };
  const usage = useQuery(api.queryOptions('get', '/api/manage/apps/{appId}/keys/{keyId}/usage', { params: { path } }));
  return (
    <Loaded query={usage} rows={1}>
      {({ requests24h }) => <Text fw={600}>{t('requests', { count: requests24h ?? 0 })}</Text>}
    </Loaded>
  );
}
