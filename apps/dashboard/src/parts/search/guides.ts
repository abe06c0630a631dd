// Finds a text in the documentation.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { referenceQuery } from '../docs/reference.ts';
import { guideTextsQuery, searchOver } from '../docs/search.ts';
import type { FoundGroup } from '../shell/finder.tsx';
import { SHORTEST } from './things.tsx';

const MOST_GUIDES = 4;

/** The passages of guides and the operations of the API that fit the words. They are loaded when somebody types. */
export function useGuides(q: string): FoundGroup[] {
  const t = useTranslations('search');
  const enabled = q.length >= SHORTEST;
  const { data: texts } = useQuery({ ...guideTextsQuery(), enabled });
  const { data: reference } = useQuery({ ...referenceQuery(), enabled });
  const find = useMemo(() => texts && searchOver(texts, reference), [texts, reference]);
  return useMemo(() => {
    const found = enabled && find ? find(q).found : [];
    if (found.length === 0) return [];
    const items = found.slice(0, MOST_GUIDES).map(({ href, title, heading }) => ({
      id: href,
      label: heading || title,
      detail: heading ? title : undefined,
      href,
    }));
    const all = { id: 'all guides', label: t('allGuides'), href: `/docs/search?${new URLSearchParams({ q })}` };
    return [{ name: t('groups.guides'), items: [...items, all] }];
  }, [enabled, find, q, t]);
}
