import type { Domain } from '@landfall/api-client';
import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/apps.ts';
import { api, client } from '../../api/client.ts';
import { CopyLine } from '../copy.tsx';
import { fieldsOf, useFormCommand } from '../forms/form.tsx';
import { ConfirmButton } from '../page/confirm.tsx';
import { Facts, rowButton } from '../page/data-table.tsx';
import { FailureAlert, Loaded, Section } from '../page/page.tsx';
import { useMay } from '../roles.ts';

/** The app's own domains, with the DNS record that proves each one. */
export function Domains({ appId }: { appId: string }) {
  const t = useTranslations('domains');
  const query = api.useQuery('get', '/api/manage/apps/{appId}/domains', { params: { path: { appId } } });
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
  const { primaryDomain } = useApp(appId);
  const { id: domainId, domain: name, record, verifiedAt } = domain;
  const path = { params: { path: { appId, domainId } } };
  const verify = useMutation({
    mutationFn: () => client.POST('/api/manage/apps/{appId}/domains/{domainId}/verify', path),
  });
  const prefer = useMutation({
    mutationFn: (primaryDomain: string | null) =>
      client.PATCH('/api/manage/apps/{appId}', { params: { path: { appId } }, body: { primaryDomain } }),
  });
  const remove = () => client.DELETE('/api/manage/apps/{appId}/domains/{domainId}', path);
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
            text={t('removeText', { name })}
          />
        </Group>
      )}
    </Stack>
  );
}

function AddDomain({ appId }: { appId: string }) {
  const t = useTranslations('domains');
  const form = useForm({ initialValues: { domain: '' } });
  const add = useFormCommand(form, {
    mutationFn: ({ domain }) =>
      client.POST('/api/manage/apps/{appId}/domains', { params: { path: { appId } }, body: { domain } }),
    fields: { DOMAIN_EXISTS: 'domain', DOMAIN_TAKEN: 'domain' },
    onSuccess() {
      form.reset();
      notifications.show({ message: t('added') });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <Group align="flex-end">
        <TextInput required flex={1} miw={220} maw={420} {...fieldsOf(form, t)('domain')} />
        <Button type="submit" variant="default" loading={add.isPending}>
          {t('add')}
        </Button>
      </Group>
      {add.error !== null && <FailureAlert error={add.error} />}
    </form>
  );
}
