import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const linkQuery = (linkId: string) =>
  api.queryOptions('get', '/api/manage/links/{linkId}', { params: { path: { linkId } } });

export const HISTORY = '/api/manage/links/{linkId}/history';

/** Asks again for what shows the link: its page, its history and the lists. */
export const linkChanged = (queries: QueryClient, linkId: string): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries(linkQuery(linkId)),
    queries.invalidateQueries({ queryKey: ['get', HISTORY] }),
    queries.invalidateQueries({ queryKey: ['get', '/api/manage/apps/{appId}/links'] }),
  ]);
