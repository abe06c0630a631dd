import type { Link } from '@landfall/api-client';
import type { QueryClient } from '@tanstack/react-query';
import { api, client } from '../../api/index.ts';

export const linkQuery = (linkId: string) =>
  api.queryOptions('get', '/api/manage/links/{linkId}', { params: { path: { linkId } } });

interface LinkFilter {
  state: 'all' | 'live' | 'expired' | 'archived';
  search?: string | undefined;
}

export const LINKS = '/api/manage/apps/{appId}/links';

export const linksOf = (appId: string, filter: LinkFilter) => ({
  params: { path: { appId }, query: { limit: 100, ...filter } },
});

/** Asks for the first page of the list, before the code that shows it is loaded. */
export function prefetchLinks(queries: QueryClient, appId: string, filter: LinkFilter): void {
  const asked = linksOf(appId, filter);
  void queries.prefetchInfiniteQuery({
    queryKey: api.queryOptions('get', LINKS, asked).queryKey,
    queryFn: async ({ signal }) => (await client.GET(LINKS, { ...asked, signal })).data,
    initialPageParam: null,
  });
}

/** Returns the state of a link, as the API filters by it. */
export function stateOf({ archivedAt, expiresAt }: Link): 'live' | 'expired' | 'archived' {
  if (archivedAt !== null) return 'archived';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'live';
}
