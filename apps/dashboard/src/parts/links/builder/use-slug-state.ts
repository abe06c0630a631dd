import { useDebouncedValue } from '@mantine/hooks';
import { api, useApp } from '../../../api/index.ts';
import { slugFaultOf } from '../values/slug.ts';

/** Milliseconds after the last key. */
const PAUSE_MS = 500;

export type SlugState = 'empty' | 'typed' | 'invalid' | 'free' | 'taken';

/** Says whether a new link may have the slug. The API decides when the link is made: an answer that fails hinders nobody. */
export function useSlugState(slug: string, isAsked: boolean): SlugState {
  const { id: appId } = useApp();
  const [paused] = useDebouncedValue(slug, PAUSE_MS);
  const isValid = slugFaultOf(slug) === null;
  // The search names the link of a slug first, also an archived one.
  const { data, isError } = api.useQuery(
    'get',
    '/api/manage/apps/{appId}/search',
    { params: { path: { appId }, query: { q: slug } } },
    { enabled: isAsked && isValid && paused === slug },
  );
  if (slug === '') return 'empty';
  if (!isValid) return paused === slug || slug.length > 1 ? 'invalid' : 'typed';
  if (data) return data.found.links.some((link) => link.slug === slug) ? 'taken' : 'free';
  return isError || !isAsked ? 'free' : 'typed';
}
