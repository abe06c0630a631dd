import { useSuspenseQuery } from '@tanstack/react-query';
import { useApp } from '../api/apps.ts';
import { meQuery } from '../api/session.ts';

export const ranks = ['viewer', 'member', 'admin', 'owner'] as const;
type Role = (typeof ranks)[number];

/**
 * True when the person has at least this role in the team of the app. Owners of the instance see every app, and have
 * those without a team.
 */
export function useMay(appId: string, needed: Role): boolean {
  const me = useSuspenseQuery(meQuery()).data;
  const { teamId } = useApp(appId);
  if (me.person?.instanceOwner && (needed === 'viewer' || teamId === null)) return true;
  const role = me.teams.find(({ id }) => id === teamId)?.role;
  return role !== undefined && ranks.indexOf(role) >= ranks.indexOf(needed);
}
