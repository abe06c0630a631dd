import type { Token } from '@landfall/api-client';
import { Alert, Button, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api, client } from '../../api/client.ts';
import { meQuery } from '../../api/session.ts';
import { CopyLine } from '../copy.tsx';
import { showFaults } from '../forms/form-faults.ts';
import { FailureAlert } from '../page/failure-alert.tsx';
import { Loaded } from '../page/loaded.tsx';
import { Section } from '../page/section.tsx';
import { browserZone } from '../time.tsx';
import { TokenTable } from './token-table.tsx';

const tokensQuery = () => api.queryOptions('get', '/api/manage/me/tokens');

/** The person's tokens, with which programs act for them in one team. */
export function Tokens() {
  const t = useTranslations('tokens');
  const query = useQuery(tokensQuery());
  const queries = useQueryClient();
  const [making, make] = useDisclosure();
  const { teams } = useSuspenseQuery(meQuery()).data;
  const teamOf = ({ teamId }: Token) => teams.find(({ id }) => id === teamId)?.name;
  async function revoke(tokenId: string) {
    await client.DELETE('/api/manage/me/tokens/{tokenId}', { params: { path: { tokenId } } });
    await queries.invalidateQueries(tokensQuery());
  }
  return (
    <Section
      title={t('title')}
      actions={
        <Button size="compact-sm" onClick={make.open}>
          {t('create')}
        </Button>
      }
    >
      <Text>{t('intro')}</Text>
      <Loaded query={query} rows={2}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <Text>{t('empty')}</Text>
          ) : (
            <TokenTable tokens={tokens} of="team" nameOf={teamOf} timeZone={browserZone} revoke={revoke} />
          )
        }
      </Loaded>
      <Modal opened={making} onClose={make.close} title={t('create')}>
        <TokenForm onClose={make.close} />
      </Modal>
    </Section>
  );
}

const LIVES = ['30', '90', '365', 'never'] as const;

function TokenForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('tokens');
  const queries = useQueryClient();
  const { teams } = useSuspenseQuery(meQuery()).data;
  const form = useForm({
    mode: 'controlled',
    initialValues: { label: '', teamId: teams[0]?.id ?? '', scope: 'read', days: '90' },
  });
  const make = useMutation({
    mutationFn: ({ label, teamId, scope, days }: typeof form.values) =>
      client.POST('/api/manage/me/tokens', {
        body: {
          label,
          teamId,
          scope: scope as Token['scope'],
          expiresAt: days === 'never' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString(),
        },
      }),
    onSuccess: () => queries.invalidateQueries(tokensQuery()),
    onError: (error) => void showFaults(form, error),
  });
  if (make.data?.data)
    return (
      <Stack>
        <Alert color="yellow" role="status" title={t('once')}>
          {t('onceText')}
        </Alert>
        <CopyLine value={make.data.data.plaintext} label={t('copy')} />
        <Button onClick={onClose}>{t('saved')}</Button>
      </Stack>
    );
  return (
    <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <Stack>
        <TextInput
          label={t('label')}
          description={t('labelHelp')}
          required
          data-autofocus
          {...form.getInputProps('label')}
        />
        <Select
          label={t('team')}
          allowDeselect={false}
          data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps('teamId')}
        />
        <Select
          label={t('scope')}
          description={t('scopeHelp')}
          allowDeselect={false}
          data={(['read', 'write'] as const).map((value) => ({ value, label: t(`scopes.${value}`) }))}
          {...form.getInputProps('scope')}
        />
        <Select
          label={t('expires')}
          allowDeselect={false}
          data={LIVES.map((value) => ({ value, label: t(`lives.${value}`) }))}
          {...form.getInputProps('days')}
        />
        {make.isError && <FailureAlert error={make.error} />}
        <Button type="submit" loading={make.isPending}>
          {t('create')}
        </Button>
      </Stack>
    </form>
  );
}
