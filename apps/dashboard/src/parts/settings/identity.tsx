import { Button, Group, Modal, Select, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api, client, useApp, useMay } from '../../api/index.ts';
import { ShownOnce } from '../copy.tsx';
import { RowConfirm } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import { FailureAlert, Loaded, Section } from '../page/page.tsx';
import { Ago } from '../time.tsx';

/** Whether the app's backend signs who its users are, and the secrets with which it does. */
export function IdentitySettings({ mode }: { mode: ReturnType<UseFormReturnType<object>['getInputProps']> }) {
  const t = useTranslations('identity');
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/identity-secrets', { params: { path: { appId } } });
  const mayChange = useMay('admin');
  const [shown, show] = useDisclosure();
  const path = { params: { path: { appId } } };
  const make = useMutation({
    mutationFn: () => client.POST('/api/manage/apps/{appId}/identity-secrets', { ...path, body: {} }),
    onSuccess: show.open,
  });
  const remove = (secretId: string) =>
    client.DELETE('/api/manage/apps/{appId}/identity-secrets/{secretId}', { params: { path: { appId, secretId } } });
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <Select
        label={t('mode')}
        data={(['off', 'preferred', 'required'] as const).map((value) => ({ value, label: t(`modes.${value}`) }))}
        {...mode}
      />
      <Loaded query={query} rows={1}>
        {({ secrets }) => (
          <DataTable
            rows={secrets}
            empty={t('empty')}
            columns={{
              hint: { ff: 'monospace', cell: ({ hint }) => hint },
              made: ({ createdAt }) => <Ago at={createdAt} />,
              ends: ({ expiresAt }) =>
                expiresAt !== null && (
                  <>
                    {t('ends')} <Ago at={expiresAt} />
                  </>
                ),
              actions:
                mayChange &&
                (({ id, hint }) => <RowConfirm act="remove" t={t} of={{ hint }} onConfirm={() => remove(id)} />),
            }}
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
