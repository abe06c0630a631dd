import { useQueries } from '@tanstack/react-query';
import { linkQuery } from '../links/queries.ts';
import { filterOf } from './view.ts';

/** Returns the names of the links among filters, else their slugs, by their ids. A link that cannot be read has none. */
export function useLinkNames(filter: readonly string[]): ReadonlyMap<string, string> {
  const ids = filter
    .map((one) => filterOf(one))
    .flatMap((one) => (one?.dimension === 'link' && one.value !== null ? [one.value] : []));
  return useQueries({
    queries: ids.map((id) => ({ ...linkQuery(id), retry: false })),
    combine: (found) =>
      new Map(
        found.flatMap(({ data }, place) => (data ? [[ids[place]!, data.link.name ?? data.link.slug] as const] : [])),
      ),
  });
}
