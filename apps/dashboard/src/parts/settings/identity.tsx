import type { App } from '@landfall/api-client';
import { Button, Group, Modal, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useMay } from '../../api/apps.ts';
import { api, client } from '../../api/client.ts';
import { ShownOnce } from '../copy.tsx';
import { ConfirmButton, rowButton } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import { FailureAlert, Loaded, Section } from '../page/page.tsx';
import { Ago } from '../time.tsx';

const MODES = ['off', 'preferred', 'required'] as const;

/** Whether the app's backend signs who its users are, and the secrets with which it does. */
export function IdentitySettings({ app }: { app: App }) {
  const t = useTranslations('identity');
  const { id: appId } = app;
  const query = api.useQuery('get', '/api/manage/apps/{appId}/identity-secrets', { params: { path: { appId } } });
  const mayChange = useMay(appId, 'admin');
  const [shown, show] = useDisclosure();
  const path = { params: { path: { appId } } };
  const make = useMutation({
    mutationFn: () => client.POST('/api/manage/apps/{appId}/identity-secrets', { ...path, body: {} }),
    onSuccess: show.open,
  });
  const choose = useMutation({
    mutationFn: (identity: App['identity']) =>
      client.PATCH('/api/manage/apps/{appId}', { ...path, body: { identity } }),
  });
  const remove = (secretId: string) =>
    client.DELETE('/api/manage/apps/{appId}/identity-secrets/{secretId}', { params: { path: { appId, secretId } } });
  return (
    <Section title={t('title')} maw={640}>
      <Text size="sm">{t('intro')}</Text>
      <Select
        label={t('mode')}
        disabled={!mayChange || choose.isPending}
        data={MODES.map((value) => ({ value, label: t(`modes.${value}`) }))}
        value={app.identity}
        onChange={(value) => value && choose.mutate(value as App['identity'])}
      />
      {choose.isError && <FailureAlert error={choose.error} />}
      <Loaded query={query} rows={1}>
        {({ secrets }) => (
          <DataTable
            rows={secrets}
            rowKey="id"
            empty={t('empty')}
            columns={[
              { ff: 'monospace', cell: ({ hint }) => hint },
              { cell: ({ createdAt }) => <Ago at={createdAt} /> },
              {
                cell: ({ expiresAt }) =>
                  expiresAt !== null && (
                    <>
                      {t('ends')} <Ago at={expiresAt} />
                    </>
                  ),
              },
              mayChange && {
                cell: ({ id, hint }) => (
                  <ConfirmButton
                    {...rowButton}
                    title={t('remove')}
                    aria-label={t('removeNamed', { hint })}
                    onConfirm={() => remove(id)}
                    danger
                    text={t('removeText')}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {make.isError && <FailureAlert error={make.error} />}
      {mayChange && (
        <Group>
          <Button variant="default" onClick={() => make.mutate()} loading={make.isPending}>
            {t('make')}
          </Button>
        </Group>
      )}
      <Modal opened={shown} onClose={show.close} title={t('make')}>
        <ShownOnce value={make.data?.data?.plaintext ?? ''} t={t} onClose={show.close} />
      </Modal>
    </Section>
  );
}
