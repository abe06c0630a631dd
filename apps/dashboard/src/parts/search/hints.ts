// Where to look when a search finds nobody.
import { useTranslations } from 'use-intl';
import type { FoundGroup } from '../shell/finder.tsx';

/** True for what may name a person, a device or a start, and not for words. */
export const mayBeSomebody = (text: string): boolean => /@|\d|[\w-]{16,}/.test(text);

/** True for an email and for the address of a link. A guide that has it as an example is not what people look for. */
export const namesSomebody = (text: string): boolean => /^\S+@\S|:\/\//.test(text);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True for the id of a tap, a restore, a push, a device or a request. */
export const isId = (text: string): boolean => UUID.test(text);

/** Where to look for somebody whom the app does not know: a tap alone names nobody. */
export function useHints(appId: string | undefined, isShown: boolean): FoundGroup[] {
  const t = useTranslations('search');
  if (!isShown || appId === undefined) return [];
  const base = `/apps/${appId}`;
  return [
    {
      name: t('groups.hints'),
      items: [
        {
          id: 'hint nothing',
          label: t('hints.nothing'),
          detail: t('hints.nothingText'),
          href: `${base}/restores?state=nothing&time=day`,
        },
        {
          id: 'hint refused',
          label: t('hints.refused'),
          detail: t('hints.refusedText'),
          href: `${base}/restores?state=refused&time=day`,
        },
        { id: 'hint taps', label: t('hints.taps'), detail: t('hints.tapsText'), href: `${base}/links` },
        { id: 'hint live', label: t('hints.live'), detail: t('hints.liveText'), href: `${base}/live` },
      ],
    },
  ];
}
