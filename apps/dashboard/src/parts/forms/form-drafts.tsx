// Drafts of forms: entries that a person has not sent yet.
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp, useMe } from '../../api/index.ts';
import { Ago } from '../time.tsx';
import { type Draft, type Drafts, draftsIn } from './drafts.ts';

/** The drafts of a kind of form, of this app and this person. */
export function useDrafts<Values>(kind: string): Drafts<Values> {
  const { id: appId } = useApp();
  const { person } = useMe();
  const [drafts] = useState(() => draftsIn<Values>(`landfall-drafts-${kind}-${appId}-${person?.id}`, localStorage));
  return drafts;
}

/** Reads the id of a draft from the address of a page. An id of digits alone arrives as a number. */
export const draftIn = (given: unknown): { draft?: string } =>
  ['string', 'number'].includes(typeof given) ? { draft: `${given}` } : {};

export interface DraftOf<Values> {
  drafts: Drafts<Values>;
  /** The id of the draft that the form shows. */
  draft: string | undefined;
  /** Gets the id of the draft when it begins. */
  onDraft: (id: string) => void;
}

interface FormDraft<Values> extends DraftOf<Values> {
  of: string;
  /** The first values of the form, perhaps those of the draft. */
  initial: Values;
  /** The form without any entry. */
  before: Values;
  values: Values;
  /** True: what the form has is stored, so it is no draft. */
  isSent?: boolean;
}

/** Keeps what a form has as a draft. Returns a function that ends it: call it when the form is sent. */
export function useDraft<Values>(form: FormDraft<Values>) {
  const { drafts, draft, onDraft, of, initial, before, values, isSent = false } = form;
  const id = useRef(draft);
  useEffect(() => {
    const is = (other: Values) => JSON.stringify(values) === JSON.stringify(other);
    if (isSent || is(initial)) return;
    if (is(before)) return drafts.drop(id.current);
    const stored = drafts.put(id.current, { of, values, before });
    if (stored !== id.current) onDraft(stored);
    id.current = stored;
  }, [values, isSent, initial, before, drafts, of, onDraft]);
  return () => drafts.drop(id.current);
}

interface OtherDraftsProps<Values> {
  drafts: Drafts<Values>;
  of: string;
  /** The draft that the form shows. */
  except: string | undefined;
  /** Returns the name of a draft for people. */
  nameOf: (values: Values) => string;
  onContinue: (draft: Draft<Values>) => void;
}

/** The entries that the person has not sent, as they were when the page was opened. */
export function OtherDrafts<Values>({ drafts, of, except, nameOf, onContinue }: OtherDraftsProps<Values>) {
  const t = useTranslations('drafts');
  const [shown, show] = useState(() => drafts.all().filter((draft) => draft.of === of && draft.id !== except));
  if (shown.length === 0) return null;
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('title')}>
      <Stack gap="xs">
        <Text fw={600}>{t('title')}</Text>
        {shown.map((draft) => {
          const what = nameOf(draft.values);
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
