import type { AuditEntry } from '@landfall/api-client';
import { Group, List, Paper, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Disclosure } from '../page/disclosure.tsx';
import { PageLink } from '../page/links.tsx';
import { Sentence, When } from '../time.tsx';
import { type AuditAction, actionOf, differencesOf, nameIn, pathWords, spelt } from './entry-words.ts';
import { fieldWords } from './field-words.ts';
import { useValueText } from './use-value-text.ts';

export function AuditList({ entries, empty }: { entries: readonly AuditEntry[]; empty?: string }) {
  const t = useTranslations('audit');
  if (entries.length === 0) return <Text size="md">{empty ?? t('empty')}</Text>;
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {entries.map((entry) => (
        <Paper component="li" withBorder p="sm" key={entry.id} style={{ overflowWrap: 'anywhere' }}>
          <Group justify="space-between" gap="xs">
            <Text miw={0}>
              <Said entry={entry} /> · {actorOf(entry, t)}
            </Text>
            <When at={entry.at} />
          </Group>
          {(entry.before !== null || entry.after !== null) && (
            <Disclosure summary={<Text span>{t('change')}</Text>}>
              <Differences entry={entry} />
            </Disclosure>
          )}
        </Paper>
      ))}
    </Stack>
  );
}

type Translate = ReturnType<typeof useTranslations<'audit'>>;

/** The action, with a link to the link or the push that it changed. */
function Said({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('audit');
  const said = <b>{saidOf(entry, t)}</b>;
  const { appId, subject, subjectName } = entry;
  if (appId === null || subject === null) return said;
  if (subjectName !== null)
    return (
      <PageLink size="sm" to="/apps/$appId/links/$linkId" params={{ appId, linkId: subject }}>
        {said}
      </PageLink>
    );
  if (!entry.action.endsWith('Push')) return said;
  return (
    <PageLink size="sm" to="/apps/$appId/push/$notificationId" params={{ appId, notificationId: subject }}>
      {said}
    </PageLink>
  );
}

/** What was done, with the name of the thing. An action of a newer Landfall has its own name. */
function saidOf(entry: AuditEntry, t: Translate): string {
  const action = actionOf(entry);
  const key = `actions.${action as AuditAction}` as const;
  const known = entry.subjectName ?? nameIn(entry);
  const name = known === '' && OF_PEOPLE.includes(action) ? t('unknownPerson') : known;
  return t.has(key) ? t(key, { name }).trim() : spelt(action);
}

/** Their sentences need a name. A person may be gone. */
const OF_PEOPLE = ['SetRole', 'RemoveMember', 'RevokeInvitation', 'ResetPassword', 'RemoveSecondFactor'];

function Differences({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('audit');
  const differences = differencesOf(entry);
  const textOf = useValueText(differences);
  if (differences.length === 0) return <Text>{t('noChange')}</Text>;
  return (
    <List size="sm">
      {differences.map(({ path, from, to }) => (
        <List.Item key={path}>
          {pathWords(path, fieldWords)}:{' '}
          {from !== undefined && to !== undefined && <Sentence text={`${textOf(path, from)} → `} />}
          <Sentence text={textOf(path, to === undefined ? from : to)} />
        </List.Item>
      ))}
    </List>
  );
}

function actorOf({ actor, actorEmail }: AuditEntry, t: Translate): string {
  if (actorEmail === null) return t(`actors.${actor.kind}`);
  return actor.tokenId === null ? actorEmail : t('byToken', { email: actorEmail });
}
