import type { DeadLetter } from '@landfall/api-client';
import { Button, Code, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, askEvery, client } from '../../../api/index.ts';
import { Disclosure } from '../../../parts/page/disclosure.tsx';
import { Loaded, Page } from '../../../parts/page/page.tsx';
import { useCommand } from '../../../parts/page/use-command.ts';
import { Ago } from '../../../parts/time.tsx';

export const Route = createFileRoute('/_app/instance/dead-letters')({
  validateSearch: ({ group }: Record<string, unknown>): { group?: string } =>
    typeof group === 'string' ? { group } : {},
  component: DeadLetters,
});

function DeadLetters() {
  const t = useTranslations('deadLetters');
  const { group } = Route.useSearch();
  const navigate = Route.useNavigate();
  const query = useQuery({
    ...api.queryOptions('get', '/api/manage/dead-letters', { params: { query: { group } } }),
    refetchInterval: (query) =>
      askEvery(query.state.data?.letters.some(({ replaying }) => replaying) ? 2_000 : false)(query),
  });
  return (
    <Page title={t('title')}>
      <Text size="md">{t('intro')}</Text>
      <Loaded query={query} rows={6}>
        {({ groups, letters }) => {
          const left = letters.filter(({ replayed, replaying }) => !replayed && !replaying);
          if (letters.length === 0) return <Text size="md">{t('empty')}</Text>;
          return (
            <>
              <Group align="flex-end">
                <Select
                  label={t('group')}
                  placeholder={t('allGroups')}
                  clearable
                  allowDeselect
                  data={groups}
                  value={group ?? null}
                  onChange={(value) => void navigate({ search: value === null ? {} : { group: value }, replace: true })}
                />
                {group !== undefined && left.length > 0 && (
                  <Replay letters={left} label={t('replayAll', { count: left.length })} />
                )}
              </Group>
              <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {letters.map((letter) => (
                  <Letter key={`${letter.group} ${letter.place}`} letter={letter} />
                ))}
              </Stack>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Letter({ letter }: { letter: DeadLetter }) {
  const t = useTranslations('deadLetters');
  const { message, group, reason, attempts, at, replayed, replaying, data } = letter;
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={600}>{message || t('unreadable')}</Text>
          <Text>{group}</Text>
          {replaying && <Text>{t('replaying')}</Text>}
          {replayed && <Text>{t('replayed')}</Text>}
        </Group>
        {at !== null && <Ago at={at} />}
      </Group>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {reason} · {t('attempts', { count: attempts })}
      </Text>
      <Disclosure summary={<Text span>{t('content')}</Text>}>
        <Code block tabIndex={0} role="region" aria-label={t('content')} style={{ overflowX: 'auto' }}>
          {typeof data === 'string' ? data : JSON.stringify(data, null, 2)}
        </Code>
      </Disclosure>
      {!replayed && !replaying && (
        <Group mt="xs">
          <Replay letters={[letter]} label={t('replay')} named={t('replayNamed', { message })} />
        </Group>
      )}
    </Paper>
  );
}

/** Sends letters of one group to it again. */
function Replay({ letters, label, named }: { letters: readonly DeadLetter[]; label: string; named?: string }) {
  const t = useTranslations('deadLetters');
  const replay = useCommand(async () => {
    const body = { group: letters[0]!.group, places: letters.map(({ place }) => place) };
    const { data } = await client.POST('/api/manage/dead-letters/replay', { body });
    const { replayed: done = 0, running = 0 } = data ?? {};
    const failed = letters.length - done - running;
    notifications.show({ message: t('done', { done, failed, running }), ...(failed > 0 && { color: 'red' }) });
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={replay.isPending}
      onClick={() => replay.mutate()}
      {...(named !== undefined && { 'aria-label': named })}
    >
      {label}
    </Button>
  );
}
