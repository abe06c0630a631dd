import type { Domain } from '@landfall/api-client';
import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import { api, client, useApp, useMay } from '../../api/index.ts';
import { CopyLine } from '../copy.tsx';
import { useCommandForm } from '../forms/form.tsx';
import { RowConfirm, rowButton } from '../page/buttons.tsx';
import { Facts } from '../page/data-table.tsx';
import { CommandButton, FailureAlert, Loaded, Section } from '../page/page.tsx';

/** The app's own domains, with the DNS record that proves each one. */
export function Domains() {
  const t = useTranslations('domains');
  const { id: appId } = useApp();
  const query = api.useQuery('get', '/api/manage/apps/{appId}/domains', { params: { path: { appId } } });
  const mayChange = useMay('admin');
  return (
    <Section title={t('title')}>
      <Text size="md">{t('intro')}</Text>
      <Loaded query={query} rows={2}>
        {({ domains }) => (
          <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {domains.map((domain) => (
              <OneDomain key={domain.id} domain={domain} mayChange={mayChange} />
            ))}
          </Stack>
        )}
      </Loaded>
      {mayChange && <AddDomain appId={appId} />}
    </Section>
  );
}

function OneDomain({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  const t = useTranslations('domains');
  const { id: appId, primaryDomain } = useApp();
  const { id: domainId, domain: name, record, verifiedAt } = domain;
  const path = { params: { path: { appId, domainId } } };
  const verify = () => client.POST('/api/manage/apps/{appId}/domains/{domainId}/verify', path);
  const isPrimary = primaryDomain === name;
  const prefer = () =>
    client.PATCH('/api/manage/apps/{appId}', {
      params: { path: { appId } },
      body: { primaryDomain: isPrimary ? null : name },
    });
  const remove = () => client.DELETE('/api/manage/apps/{appId}/domains/{domainId}', path);
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
          <Text>{t('addRecord')}</Text>
          <Facts
            width={90}
            maw={640}
            of={{
              [t('type')]: record.type,
              [t('name')]: <CopyLine value={record.name} label={t('copyName')} />,
              [t('value')]: <CopyLine value={record.value} label={t('copyValue')} />,
            }}
          />
        </>
      )}
      {mayChange && (
        <Group gap="xs">
          {verifiedAt === null ? (
            <CommandButton size="compact-sm" command={verify}>
              {t('verify')}
            </CommandButton>
          ) : (
            <CommandButton {...rowButton} command={prefer}>
              {t(isPrimary ? 'notPrimary' : 'makePrimary')}
            </CommandButton>
          )}
          <RowConfirm act="remove" t={t} of={{ name }} onConfirm={remove} />
        </Group>
      )}
    </Stack>
  );
}

function AddDomain({ appId }: { appId: string }) {
  const t = useTranslations('domains');
  const form = useCommandForm(t, {
    initialValues: { domain: '' },
    send: ({ domain }) =>
      client.POST('/api/manage/apps/{appId}/domains', { params: { path: { appId } }, body: { domain } }),
    fields: { DOMAIN_EXISTS: 'domain', DOMAIN_TAKEN: 'domain' },
    onSuccess(_, form) {
      form.reset();
      notifications.show({ message: t('added') });
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Group align="flex-end">
        <TextInput required flex={1} miw={220} maw={420} {...form.field('domain')} />
        <Button type="submit" variant="default" loading={form.command.isPending}>
          {t('add')}
        </Button>
      </Group>
      {form.command.error !== null && <FailureAlert error={form.command.error} />}
    </form>
  );
}
