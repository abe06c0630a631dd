import type { Key } from '@landfall/api-client';
import { Button, Modal, Radio, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client, useMay } from '../../../api/index.ts';
import { ShownOnce } from '../../../parts/copy.tsx';
import { CommandForm, useCommandForm } from '../../../parts/forms/form.tsx';
import { RowConfirm, rowButton } from '../../../parts/page/buttons.tsx';
import { DataTable } from '../../../parts/page/data-table.tsx';
import { Disclosure } from '../../../parts/page/disclosure.tsx';
import { Loaded, Page, Section, Waiting } from '../../../parts/page/page.tsx';
import { State } from '../../../parts/states/state.tsx';
import { stateOf, states } from '../../../parts/states/states.ts';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/apps/$appId/keys')({
  validateSearch: ({ new: isNew }: Record<string, unknown>): { new?: true } => (isNew === true ? { new: true } : {}),
  component: Keys,
});

// The code of all platforms comes with it.
const FirstCall = lazyRouteComponent(() => import('../../../parts/set-up/first-call.tsx'), 'FirstCall');

function Keys() {
  const t = useTranslations('keys');
  const { appId } = Route.useParams();
  const { new: isNew = false } = Route.useSearch();
  const navigate = Route.useNavigate();
  const mayChange = useMay('admin');
  const query = api.useQuery('get', '/api/manage/apps/{appId}/keys', { params: { path: { appId } } });
  const [rotated, setRotated] = useState<Key | null>(null);
  const timeOf = (time: string | null) => time && <Ago at={time} />;
  const create = mayChange && (
    <Button onClick={() => void navigate({ search: { new: true }, replace: true })}>{t('create')}</Button>
  );
  const close = () => void navigate({ search: {}, replace: true });
  return (
    <Page title={t('title')} actions={create}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {KINDS.map((kind) => (
          <Section key={kind} title={t(`kinds.${kind}`)}>
            <Text>{t(`mays.${kind}`)}</Text>
            <Text>{t(`places.${kind}`)}</Text>
          </Section>
        ))}
      </SimpleGrid>
      <Loaded query={query}>
        {({ keys }) => {
          const revoked = keys.filter(isRevoked);
          const active = keys.filter((key) => !isRevoked(key));
          const table = (rows: Key[]) => (
            <DataTable
              t={t}
              minWidth={680}
              rows={rows}
              columns={{
                label: ({ label, hint }) => (
                  <>
                    {label}{' '}
                    <Text span ff="monospace">
                      {hint}
                    </Text>
                  </>
                ),
                kind: ({ kind }) => t(`kinds.${kind}`),
                state: (key) => <State words={states.key} of={key} t={(word) => t(`states.${word}`)} />,
                end: ({ revokedAt, expiresAt }) => <End at={revokedAt ?? expiresAt} />,
                lastUsed: ({ lastUsedAt }) => timeOf(lastUsedAt) ?? t('never'),
                created: ({ createdAt }) => timeOf(createdAt),
                actions:
                  mayChange && rows.some(isUsable) && ((key) => <Actions of={key} onRotate={() => setRotated(key)} />),
              }}
            />
          );
          return (
            <>
              {active.length > 0 ? (
                table(active)
              ) : (
                <Text size="md">{t(revoked.length > 0 ? 'noneActive' : 'empty')}</Text>
              )}
              {revoked.length > 0 && (
                <Disclosure summary={t('revoked', { count: revoked.length })}>{table(revoked)}</Disclosure>
              )}
            </>
          );
        }}
      </Loaded>
      <Modal opened={mayChange && isNew} onClose={close} title={t('create')}>
        <CreateKey appId={appId} onClose={close} />
      </Modal>
      <Modal opened={rotated !== null} onClose={() => setRotated(null)} title={t('rotate')}>
        {rotated && <RotateKey rotated={rotated} onClose={() => setRotated(null)} />}
      </Modal>
    </Page>
  );
}

const KINDS = ['mobile', 'server'] as const satisfies Key['kind'][];

const isRevoked = ({ revokedAt }: Key): boolean => revokedAt !== null;

const isUsable = (key: Key): boolean => ['live', 'ending'].includes(stateOf(states.key, key).word);

/** When a key ends, or has ended. */
function End({ at }: { at: string | null }) {
  const t = useTranslations('keys');
  if (at === null) return t('noEnd');
  return (
    <>
      {t(Date.parse(at) <= Date.now() ? 'ended' : 'ends')} <Ago at={at} />
    </>
  );
}

function CreateKey({ appId, onClose }: { appId: string; onClose: () => void }) {
  const t = useTranslations('keys');
  const form = useCommandForm(t, {
    initialValues: { label: '', kind: '' },
    // A key of the wrong kind does too little, or too much.
    validate: { kind: (kind) => (kind === '' ? t('kindMissing') : null) },
    send: ({ label, kind }) =>
      client.POST('/api/manage/apps/{appId}/keys', {
        params: { path: { appId } },
        body: { label, kind: kind as Key['kind'] },
      }),
  });
  const made = form.command.data?.data;
  if (made)
    return (
      <ShownOnce value={made.plaintext} t={t} about={t(`made.${made.key.kind}`)} onClose={onClose}>
        {made.key.kind === 'server' && (
          <>
            <Text>{t('call')}</Text>
            <Suspense fallback={<Waiting rows={6} />}>
              <FirstCall apiKey={made.plaintext} />
            </Suspense>
          </>
        )}
      </ShownOnce>
    );
  return (
    <CommandForm form={form} submit={t('createKey')}>
      <TextInput required data-autofocus {...form.field('label')} />
      <Radio.Group {...form.field('kind')} description={undefined}>
        <Stack gap="xs" mt={4}>
          {KINDS.map((kind) => (
            <Radio key={kind} value={kind} label={t(`kinds.${kind}`)} description={t(`places.${kind}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </CommandForm>
  );
}

const OVERLAPS = ['0', '3600', '86400', '604800', '2592000'] as const;

function RotateKey({ rotated: { id: keyId, appId, label, kind }, onClose }: { rotated: Key; onClose: () => void }) {
  const t = useTranslations('keys');
  const form = useCommandForm(t, {
    initialValues: { overlap: '86400' },
    send: ({ overlap }) =>
      client.POST('/api/manage/apps/{appId}/keys/{keyId}/rotate', {
        params: { path: { appId, keyId } },
        body: { overlapSeconds: Number(overlap) },
      }),
  });
  const made = form.command.data?.data;
  if (made) return <ShownOnce value={made.plaintext} t={t} about={t(`made.${kind}`)} onClose={onClose} />;
  return (
    <CommandForm form={form} submit={t('rotate')} onCancel={onClose}>
      <Text size="md">{t('rotateText', { label })}</Text>
      <Select
        description={kind === 'mobile' && t('overlapMobile')}
        data={OVERLAPS.map((value) => ({ value, label: t(`overlaps.${value}`) }))}
        {...form.field('overlap')}
      />
    </CommandForm>
  );
}

/** A revoked key cannot come back, so the person sees first how much it is used. */
function Actions({ of: key, onRotate }: { of: Key; onRotate: () => void }) {
  const t = useTranslations('keys');
  const { id: keyId, appId, label } = key;
  const path = { params: { path: { appId, keyId } } };
  const revoke = () => client.DELETE('/api/manage/apps/{appId}/keys/{keyId}', path);
  const state = stateOf(states.key, key).word;
  return (
    <>
      {state === 'live' && (
        <Button {...rowButton} mr="xs" onClick={onRotate} aria-label={t('rotateNamed', { label })}>
          {t('rotate')}
        </Button>
      )}
      {isUsable(key) && (
        <RowConfirm act="revoke" t={t} of={{ label }} onConfirm={revoke}>
          <Usage appId={appId} keyId={keyId} />
        </RowConfirm>
      )}
    </>
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
