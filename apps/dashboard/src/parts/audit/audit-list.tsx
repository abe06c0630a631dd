import type { AuditEntry } from '@landfall/api-client';
import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Ago } from '../time.tsx';

export function AuditList({ entries, empty }: { entries: readonly AuditEntry[]; empty?: string }) {
  const t = useTranslations('audit');
  if (entries.length === 0) return <Text size="md">{empty ?? t('empty')}</Text>;
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {entries.map((entry) => (
        <Paper component="li" withBorder p="sm" key={entry.id}>
          <Group justify="space-between" gap="xs">
            <Text>
              <b>{nameOf(entry, t)}</b> · {actorOf(entry, t)}
            </Text>
            <Ago at={entry.at} />
          </Group>
          {(entry.before !== null || entry.after !== null) && (
            <details>
              <summary>
                <Text span>{t('change')}</Text>
              </summary>
              <Code block tabIndex={0} role="region" aria-label={t('change')} style={{ overflowX: 'auto' }}>
                {changesOf(entry)
                  .map(({ text }) => text)
                  .join('\n') || t('noChange')}
              </Code>
            </details>
          )}
        </Paper>
      ))}
    </Stack>
  );
}

/** An edit that only archives a link, or takes it back, is called so. */
function nameOf(entry: AuditEntry, t: ReturnType<typeof useTranslations<'audit'>>): string {
  const changed = changesOf(entry).map(({ name }) => name);
  if (entry.action !== 'EditLink' || !changed.includes('archivedAt') || changed.some((name) => !OF_ARCHIVE.has(name)))
    return wordsOf(entry.action);
  return t((entry.after as { archivedAt?: unknown }).archivedAt === null ? 'unarchived' : 'archived');
}

const OF_ARCHIVE = new Set(['archivedAt', 'version']);

/** `CreateKey` as "Create key". */
const wordsOf = (action: string): string =>
  action.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);

function actorOf({ actor, actorEmail }: AuditEntry, t: ReturnType<typeof useTranslations<'audit'>>): string {
  if (actorEmail === null) return t(`actors.${actor.kind}`);
  return actor.tokenId === null ? actorEmail : t('byToken', { email: actorEmail });
}

function changesOf({ before, after }: AuditEntry): { name: string; text: string }[] {
  const old = (before ?? {}) as Record<string, unknown>;
  const next = (after ?? {}) as Record<string, unknown>;
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((name) => {
    const [from, to] = [old[name], next[name]].map((value) => (value === undefined ? '' : JSON.stringify(value)));
    return from === to ? [] : [{ name, text: `${name}: ${from || '–'} → ${to || '–'}` }];
  });
}
