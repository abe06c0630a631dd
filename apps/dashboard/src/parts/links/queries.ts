import type { Link } from '@landfall/api-client';
import type { QueryClient } from '@tanstack/react-query';
import { api, client } from '../../api/index.ts';
import { LINKS, type View } from './list/view.ts';

export const linkQuery = (linkId: string) =>
  api.queryOptions('get', '/api/manage/links/{linkId}', { params: { path: { linkId } } });

/** Links of a page. */
export const PAGE = 100;

export const linksOf = (appId: string, view: View) => ({
  params: { path: { appId }, query: { limit: PAGE, ...view } },
});

export const latestLinkQuery = (appId: string) =>
  api.queryOptions('get', LINKS, { params: { path: { appId }, query: { state: 'live', limit: 1 } } });

/** Asks for the first page of the list, before the code that shows it is loaded. */
export function prefetchLinks(queries: QueryClient, appId: string, view: View): void {
  const asked = linksOf(appId, view);
  void queries.prefetchInfiniteQuery({
    queryKey: api.queryOptions('get', LINKS, asked).queryKey,
    queryFn: async ({ signal }) => (await client.GET(LINKS, { ...asked, signal })).data,
    initialPageParam: null,
  });
}

/** Returns the state of a link, as the API filters by it. */
export function stateOf({ archivedAt, expiresAt }: Pick<Link, 'archivedAt' | 'expiresAt'>) {
  if (archivedAt !== null) return 'archived';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'live';
}
