import type { App } from '@landfall/api-client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, client } from './client.ts';

/** All apps of the person, newest first. There are few: a team has at most some dozens. */
export const appsQuery = () =>
  queryOptions({
    queryKey: ['apps'],
    async queryFn({ signal }): Promise<App[]> {
      const apps: App[] = [];
      let cursor: string | undefined;
      do {
        const { data } = await client.GET('/api/manage/apps', { params: { query: { limit: 100, cursor } }, signal });
        apps.push(...data!.apps);
        cursor = data!.next ?? undefined;
      } while (cursor !== undefined);
      return apps;
    },
  });

export const appQuery = (appId: string) =>
  api.queryOptions('get', '/api/manage/apps/{appId}', { params: { path: { appId } } });

/** The app of a page below `/apps/$appId`, which has loaded it. */
export const useApp = (appId: string): App => useSuspenseQuery(appQuery(appId)).data.app;
