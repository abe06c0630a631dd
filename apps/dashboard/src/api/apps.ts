import type { App } from '@landfall/api-client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, client } from './client.ts';
import { useMe } from './session.ts';

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
export function useApp(): App {
  const { appId } = useParams({ from: '/_app/apps/$appId' });
  return useSuspenseQuery(appQuery(appId)).data.app;
}

export const ranks = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ranks)[number];

export type Me = ReturnType<typeof useMe>;

/** Owners of the instance see every app, and may do everything with those without a team. */
export function mayIn(me: Me, teamId: string | null, needed: Role): boolean {
  if (me.person?.instanceOwner && (needed === 'viewer' || teamId === null)) return true;
  const role = me.teams.find(({ id }) => id === teamId)?.role;
  return role !== undefined && ranks.indexOf(role) >= ranks.indexOf(needed);
}

export const useMay = (needed: Role): boolean => mayIn(useMe(), useApp().teamId, needed);
