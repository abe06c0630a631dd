import type { paths } from '@landfall/api-client';
import { Group, List, Loader, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { api, askEvery, useApp } from '../../api/index.ts';
import { Loaded, Section } from '../page/page.tsx';
import { COUNTS, FINDS } from './evidence.ts';

const CLIENTS = '/api/manage/apps/{appId}/clients';
type Answer = paths[typeof CLIENTS]['get']['responses'][200]['content']['application/json'];
type Client = Answer['clients'][number];
type Evidence = keyof NonNullable<Client['restore']>['sent'];
type Part = 'heartbeat' | 'restore' | Evidence;

/** Milliseconds between two looks, while somebody sees the page. */
const LOOK_MS = 2_000;

const NEEDED = ['heartbeat', 'restore', ...FINDS] as const;
type Needed = (typeof NEEDED)[number];
const isNeeded = (part: Part): part is Needed => NEEDED.includes(part as Needed);

/** Clients send these until one restore is answered. So one that ever arrived is there. */
const isOnce = (name: Evidence) => name === 'installReferrer' || name === 'clipboard';

/** The calls of the clients of the app: ours and others. */
export function Clients() {
  const t = useTranslations('clients');
  const { id: appId } = useApp();
  const query = api.useQuery(
    'get',
    CLIENTS,
    { params: { path: { appId } } },
    { refetchInterval: askEvery(LOOK_MS), staleTime: 0 },
  );
  return (
    <Section title={t('title')}>
      <Loaded query={query} rows={1}>
        {({ now, clients }) =>
          clients.length === 0 ? (
            <Group gap="xs" role="status">
              <Loader size="sm" type="dots" />
              <Text>{t('waiting')}</Text>
            </Group>
          ) : (
            <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {clients.map((client) => (
                <OneClient key={`${client.platform} ${client.client}`} client={client} now={new Date(now)} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}

function OneClient({ client: { platform, client, calls, restore }, now }: { client: Client; now: Date }) {
  const t = useTranslations('clients');
  const matchTypes = useTranslations('restores.matchTypes');
  const format = useFormatter();
  const { clipboard } = useApp();
  const ago = (at: string) => format.relativeTime(new Date(Math.min(Date.parse(at), now.getTime())), now);
  const sent = restore?.sent;
  const evidence = COUNTS[platform ?? 'unknown'].filter((name) => name !== 'clipboard' || clipboard);
  // A look-up or a device for pushes is no start, so nothing is missing there.
  const started = calls.heartbeat !== undefined || calls.restore !== undefined;
  const came = (name: Evidence) => sent?.[name] || (isOnce(name) && calls[name] !== undefined);
  const parts: Record<string, boolean> = {
    ...(started && { heartbeat: calls.heartbeat !== undefined, restore: calls.restore !== undefined }),
    ...(sent && Object.fromEntries(evidence.map((name) => [name, came(name)]))),
  };
  const shown = Object.keys(parts) as Part[];
  const missing = shown.filter((part) => !parts[part]).filter(isNeeded);
  const fixes = platform === null && started ? (['platform', ...missing] as const) : missing;
  const told = [
    restore && t('found', { count: restore.found, how: restore.matchType ? matchTypes(restore.matchType) : '' }),
    calls.lookUp !== undefined && t('lookUp', { ago: ago(calls.lookUp) }),
    calls.push !== undefined && t('push', { ago: ago(calls.push) }),
  ].filter((sentence) => typeof sentence === 'string');
  const latest = Object.values(calls).toSorted().at(-1)!;
  return (
    <Stack component="li" gap={4}>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {t(`platforms.${platform ?? 'unknown'}`)} · {client}
      </Text>
      <Group gap="xs" style={{ rowGap: 2 }}>
        <Text>{t('ago', { ago: ago(latest) })}</Text>
        {shown.map((part) => (
          <Text key={part} c={parts[part] ? undefined : isNeeded(part) ? 'var(--mantine-color-error)' : 'dimmed'}>
            {t(`parts.${part}`)} <span aria-hidden>{parts[part] ? '✓' : '✗'}</span>
            <VisuallyHidden>{t(parts[part] ? 'arrived' : 'missing')}</VisuallyHidden>
          </Text>
        ))}
      </Group>
      {told.length > 0 && <Text>{told.join(' ')}</Text>}
      {fixes.length > 0 && (
        <List size="sm">
          {fixes.map((fix) => (
            <List.Item key={fix}>{t(`fixes.${fix}`)}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
