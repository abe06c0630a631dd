import type { Domain } from '@landfall/api-client';
import { Badge, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { appQuery, useApp } from '../../api/apps.ts';
import { api, client } from '../../api/client.ts';
import { hasCode } from '../../api/failure.ts';
import { CopyLine } from '../copy.tsx';
import { showFaults } from '../forms/form-faults.ts';
import { ConfirmButton } from '../page/confirm.tsx';
import { rowButton } from '../page/data-table.tsx';
import { FailureAlert } from '../page/failure-alert.tsx';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import { useMay } from '../roles.ts';

const domainsQuery = (appId: string) =>
  api.queryOptions('get', '/api/manage/apps/{appId}/domains', { params: { path: { appId } } });

/** The app's own domains, with the DNS record that proves each one. */
export function Domains({ appId }: { appId: string }) {
  const t = useTranslations('domains');
  const query = useQuery(domainsQuery(appId));
  const mayChange = useMay(appId, 'admin');
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <Loaded query={query} rows={2}>
        {({ domains }) => (
          <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {domains.map((domain) => (
              <OneDomain key={domain.id} appId={appId} domain={domain} mayChange={mayChange} />
            ))}
          </Stack>
        )}
      </Loaded>
      {mayChange && <AddDomain appId={appId} />}
    </Section>
  );
}

function OneDomain({ appId, domain, mayChange }: { appId: string; domain: Domain; mayChange: boolean }) {
  const t = useTranslations('domains');
  const queries = useQueryClient();
  const { primaryDomain } = useApp(appId);
  const { id: domainId, domain: name, record, verifiedAt } = domain;
  const path = { params: { path: { appId, domainId } } };
  const renew = () =>
    Promise.all([queries.invalidateQueries(domainsQuery(appId)), queries.invalidateQueries(appQuery(appId))]);
  const verify = useMutation({
    mutationFn: () => client.POST('/api/manage/apps/{appId}/domains/{domainId}/verify', path),
    onSuccess: renew,
  });
  const prefer = useMutation({
    mutationFn: (primaryDomain: string | null) =>
      client.PATCH('/api/manage/apps/{appId}', { params: { path: { appId } }, body: { primaryDomain } }),
    onSuccess: renew,
  });
  async function remove() {
    await client.DELETE('/api/manage/apps/{appId}/domains/{domainId}', path);
    await renew();
  }
  const isPrimary = primaryDomain === name;
  return (
    <Stack component="li" gap="xs">
      <Group gap="xs">
        <Text fw={600}>{name}</Text>
        <Badge color={verifiedAt === null ? 'yellow.4' : 'teal.9'}>
          {t(verifiedAt === null ? 'unverified' : 'verified')}
        </Badge>
        {isPrimary && <Badge color="indigo.8">{t('primary')}</Badge>}
      </Group>
      {verifiedAt === null && (
        <>
          <Text size="sm">{t('addRecord')}</Text>
          <Table variant="vertical" layout="fixed" maw={640}>
            <Table.Tbody>
              <Table.Tr>
                <Table.Th w={90}>{t('type')}</Table.Th>
                <Table.Td>{record.type}</Table.Td>
              </Table.Tr>
              <Table.Tr>
                <Table.Th>{t('name')}</Table.Th>
                <Table.Td>
                  <CopyLine value={record.name} label={t('copyName')} />
                </Table.Td>
              </Table.Tr>
              <Table.Tr>
                <Table.Th>{t('value')}</Table.Th>
                <Table.Td>
                  <CopyLine value={record.value} label={t('copyValue')} />
                </Table.Td>
              </Table.Tr>
            </Table.Tbody>
          </Table>
        </>
      )}
      {verify.isError && <FailureAlert error={verify.error} />}
      {prefer.isError && <FailureAlert error={prefer.error} />}
      {mayChange && (
        <Group gap="xs">
          {verifiedAt === null && (
            <Button size="compact-sm" onClick={() => verify.mutate()} loading={verify.isPending}>
              {t('verify')}
            </Button>
          )}
          {verifiedAt !== null && (
            <Button
              size="compact-sm"
              variant="default"
              loading={prefer.isPending}
              onClick={() => prefer.mutate(isPrimary ? null : name)}
            >
              {t(isPrimary ? 'notPrimary' : 'makePrimary')}
            </Button>
          )}
          <ConfirmButton
            {...rowButton}
            title={t('remove')}
            aria-label={t('removeNamed', { name })}
            onConfirm={remove}
            danger
          >
            <Text>{t('removeText', { name })}</Text>
          </ConfirmButton>
        </Group>
      )}
    </Stack>
  );
}

function AddDomain({ appId }: { appId: string }) {
  const t = useTranslations('domains');
  const queries = useQueryClient();
  const form = useForm({ mode: 'controlled', initialValues: { domain: '' } });
  const add = useMutation({
    mutationFn: ({ domain }: typeof form.values) =>
      client.POST('/api/manage/apps/{appId}/domains', { params: { path: { appId } }, body: { domain } }),
    async onSuccess() {
      form.reset();
      await queries.invalidateQueries(domainsQuery(appId));
      notifications.show({ message: t('added') });
    },
    onError(error) {
      if (hasCode(error, 'DOMAIN_EXISTS', 'DOMAIN_TAKEN')) form.setFieldError('domain', (error as Error).message);
      else showFaults(form, error);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <Group align="flex-end">
        <TextInput
          label={t('own')}
          description={t('ownHelp')}
          required
          flex={1}
          miw={220}
          maw={420}
          {...form.getInputProps('domain')}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          {t('add')}
        </Button>
      </Group>
      {add.isError && form.errors.domain === undefined && <FailureAlert error={add.error} />}
    </form>
  );
}
