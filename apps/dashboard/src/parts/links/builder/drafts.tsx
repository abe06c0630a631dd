import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp, useMe } from '../../../api/index.ts';
import { type Draft, type Drafts, draftsIn } from '../../forms/drafts.ts';
import { Ago } from '../../time.tsx';
import { destinationOf, type LinkValues } from '../values/link-values.ts';

/** The drafts of links, of this app and this person. */
export function useLinkDrafts(): Drafts<LinkValues> {
  const { id: appId } = useApp();
  const { person } = useMe();
  const [drafts] = useState(() => draftsIn<LinkValues>(`landfall-drafts-links-${appId}-${person?.id}`, localStorage));
  return drafts;
}

interface OtherDraftsProps {
  drafts: Drafts<LinkValues>;
  of: string;
  /** The draft that the form shows. */
  except: string | undefined;
  onContinue: (draft: Draft<LinkValues>) => void;
}

/** The entries that the person has not sent, as they were when the page was opened. */
export function OtherDrafts({ drafts, of, except, onContinue }: OtherDraftsProps) {
  const t = useTranslations('linkBuilder');
  const [shown, show] = useState(() => drafts.all().filter((draft) => draft.of === of && draft.id !== except));
  if (shown.length === 0) return null;
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('drafts')}>
      <Stack gap="xs">
        <Text fw={600}>{t('drafts')}</Text>
        {shown.map((draft) => {
          const what = draft.values.name || destinationOf(draft.values) || t('unnamed');
          return (
            <Group key={draft.id} gap="xs">
              <Text style={{ overflowWrap: 'anywhere' }} dir="auto">
                {what}
              </Text>
              <Ago at={new Date(draft.at).toISOString()} />
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => onContinue(draft)}
                aria-label={t('continueNamed', { what })}
              >
                {t('continue')}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('discardNamed', { what })}
                onClick={() => {
                  drafts.drop(draft.id);
                  show(shown.filter(({ id }) => id !== draft.id));
                }}
              >
                {t('discard')}
              </Button>
            </Group>
          );
        })}
      </Stack>
    </Paper>
  );
}
