import { linkNameOf } from '@landfall/api-client/link-name';
import { useQueries } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { linkQuery } from '../../links/queries.ts';
import { useNames } from '../names.ts';
import { filterOf } from '../view.ts';

/** Returns what a filter is called, such as `Country: France`. A link has the name of `linkNameOf`. */
export function useFilterNames(filter: readonly string[]): (one: string) => string {
  const t = useTranslations('analytics');
  const names = useNames();
  const links = useLinkNames(filter);
  return (one) => {
    const { dimension, value } = filterOf(one)!;
    const name = dimension === 'link' && value !== null ? links.get(value) : null;
    return t('filter', { dimension: names.of(dimension), value: names.nameOf(dimension, { value, name }) });
  };
}

/** Returns the names of links, by their ids. A link that cannot be read has none. */
function useLinkNames(filter: readonly string[]): ReadonlyMap<string, string> {
  const ids = filter
    .map((one) => filterOf(one))
    .flatMap((one) => (one?.dimension === 'link' && one.value !== null ? [one.value] : []));
  return useQueries({
    queries: ids.map((id) => ({ ...linkQuery(id), retry: false })),
    combine: (found) =>
      new Map(found.flatMap(({ data }, place) => (data ? [[ids[place]!, linkNameOf(data.link)] as const] : []))),
  });
}
