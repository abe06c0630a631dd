// The search of the header: over pages, actions and guides, and over everything that an app knows.
import { Modal, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { FailureAlert } from '../page/page.tsx';
import { Finder, type FoundItem } from '../shell/finder.tsx';
import { searchedFor } from '../views/searched.ts';
import { useCampaigns } from './campaigns.ts';
import { useGuides } from './guides.ts';
import { isId, mayBeSomebody, namesSomebody, useHints } from './hints.ts';
import { usePages } from './pages.ts';
import { SHORTEST, useThings } from './things.tsx';

/** Milliseconds without a key after which the API is asked. */
const PAUSE_MS = 200;

interface SearchDialogProps {
  appId: string | undefined;
  text: string;
  onText: (text: string) => void;
  onClose: (chose: boolean) => void;
}

export function SearchDialog({ appId, text, onText, onClose }: SearchDialogProps) {
  const t = useTranslations('search');
  const router = useRouter();
  const typed = text.trim();
  const [asked] = useDebouncedValue(typed, PAUSE_MS);
  const local = usePages(appId);
  const things = useThings(appId, asked);
  const campaigns = useCampaigns(appId, asked);
  const guides = useGuides(asked);
  // An answer to an earlier text is never shown: each text is a question of its own.
  const isAnswered = asked === typed && !things.isPending && !campaigns.isPending;
  const ofApp = isAnswered && typed !== '' ? [...campaigns.groups, ...things.groups] : [];
  // Guides come after everything else, so that nothing moves under the finger.
  const ofGuides = isAnswered && typed !== '' ? guides : [];
  const ofWeb = local(typed);
  const count = [...ofWeb, ...ofApp, ...ofGuides].reduce((sum, { items }) => sum + items.length, 0);
  const isUnknown = isAnswered && asked.length >= SHORTEST && things.error === null && ofApp.length === 0;
  const hints = useHints(appId, isUnknown && mayBeSomebody(asked));
  const links = useTranslations('links');
  const status =
    typed === ''
      ? t('hint')
      : !isAnswered
        ? t('searching')
        : things.error !== null
          ? t('failed')
          : t('found', { count: count });

  function choose(item: FoundItem): void {
    onClose(true);
    router.history.push(item.href, searchedFor(item.searched ?? ''));
  }

  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      withCloseButton={false}
      size={640}
      yOffset="8vh"
      returnFocus={false}
      attributes={{ content: { 'aria-label': t('label') } }}
    >
      <Finder
        label={t('label')}
        placeholder={t('placeholder')}
        text={text}
        onText={onText}
        groups={
          namesSomebody(typed)
            ? [...ofWeb, ...ofApp, ...hints, ...ofGuides]
            : [...ofWeb, ...ofApp, ...ofGuides, ...hints]
        }
        status={status}
        onChoose={choose}
      >
        {things.error !== null && <FailureAlert error={things.error} asksAgain />}
        {things.error === null && (typed === '' || !isAnswered || count === 0 || hints.length > 0) && (
          <Text mt="xs" aria-hidden>
            {hints.length > 0 ? t(isId(asked) ? 'unknownId' : 'unknown') : status}
          </Text>
        )}
        {isUnknown && appId !== undefined && !isId(asked) && (
          <Text mt="xs" size="xs" c="dimmed">
            {links('noMatchSearch')}
          </Text>
        )}
      </Finder>
    </Modal>
  );
}
