import type { App } from '@landfall/api-client';
import { Alert, Button, Group, Modal, Select, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { appQuery } from '../../api/apps.ts';
import { api, client } from '../../api/client.ts';
import { CopyLine } from '../copy.tsx';
import { ConfirmButton } from '../page/confirm.tsx';
import { rowButton } from '../page/data-table.tsx';
import { FailureAlert } from '../page/failure-alert.tsx';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import { useMay } from '../roles.ts';
import { Ago } from '../time.tsx';

const MODES = ['off', 'preferred', 'required'] as const;

const secretsQuery = (appId: string) =>
  api.queryOptions('get', '/api/manage/apps/{appId}/identity-secrets', { params: { path: { appId } } });

/** Whether the app's backend signs who its users are, and the secrets with which it does. */
export function IdentitySettings({ app }: { app: App }) {
  const t = useTranslations('identity');
  const queries = useQueryClient();
  const { id: appId } = app;
  const query = useQuery(secretsQuery(appId));
  const mayChange = useMay(appId, 'admin');
  const [shown, show] = useDisclosure();
  const renew = () =>
    Promise.all([queries.invalidateQueries(secretsQuery(appId)), queries.invalidateQueries(appQuery(appId))]);
  const path = { params: { path: { appId } } };
  const make = useMutation({
    mutationFn: () => client.POST('/api/manage/apps/{appId}/identity-secrets', { ...path, body: {} }),
    async onSuccess() {
      show.open();
      await renew();
    },
  });
  const choose = useMutation({
    mutationFn: (identity: App['identity']) =>
      client.PATCH('/api/manage/apps/{appId}', { ...path, body: { identity } }),
    onSuccess: renew,
  });
  async function remove(secretId: string) {
    await client.DELETE('/api/manage/apps/{appId}/identity-secrets/{secretId}', {
      params: { path: { appId, secretId } },
    });
    await renew();
  }
  return (
    <Section title={t('title')} maw={640}>
      <Text size="sm">{t('intro')}</Text>
      <Select
        label={t('mode')}
        allowDeselect={false}
        disabled={!mayChange || choose.isPending}
        data={MODES.map((value) => ({ value, label: t(`modes.${value}`) }))}
        value={app.identity}
        onChange={(value) => value && choose.mutate(value as App['identity'])}
      />
      {choose.isError && <FailureAlert error={choose.error} />}
      <Loaded query={query} rows={1}>
        {({ secrets }) =>
          secrets.length === 0 ? (
            <Text size="sm">{t('empty')}</Text>
          ) : (
            <Table>
              <Table.Tbody>
                {secrets.map(({ id, hint, createdAt, expiresAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td ff="monospace">{hint}</Table.Td>
                    <Table.Td>
                      <Ago at={createdAt} timeZone={app.timeZone} />
                    </Table.Td>
                    <Table.Td>
                      {expiresAt !== null && (
                        <>
                          {t('ends')} <Ago at={expiresAt} timeZone={app.timeZone} />
                        </>
                      )}
                    </Table.Td>
                    <Table.Td>
                      {mayChange && (
                        <ConfirmButton
                          {...rowButton}
                          title={t('remove')}
                          aria-label={t('removeNamed', { hint })}
                          onConfirm={() => remove(id)}
                          danger
                        >
                          <Text>{t('removeText')}</Text>
                        </ConfirmButton>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
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
        <Stack>
          <Alert color="yellow" role="status" title={t('once')}>
            {t('onceText')}
          </Alert>
          <CopyLine value={make.data?.data?.plaintext ?? ''} label={t('copy')} />
          <Button onClick={show.close}>{t('saved')}</Button>
        </Stack>
      </Modal>
    </Section>
  );
}
