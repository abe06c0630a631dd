import { useSuspenseQuery } from '@tanstack/react-query';
import { useApp } from '../api/apps.ts';
import { meQuery } from '../api/session.ts';

export const ranks = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ranks)[number];

export interface Me {
  person: { instanceOwner: boolean } | null;
  teams: { id: string; role: Role }[];
}

/**
 * True when the person has at least this role in the team. Owners of the instance see every app, and have those without
 * a team.
 */
export function mayIn(me: Me, teamId: string | null, needed: Role): boolean {
  if (me.person?.instanceOwner && (needed === 'viewer' || teamId === null)) return true;
  const role = me.teams.find(({ id }) => id === teamId)?.role;
  return role !== undefined && ranks.indexOf(role) >= ranks.indexOf(needed);
}

/** True when the person has at least this role in the team of the app, which is loaded. */
export const useMay = (appId: string, needed: Role): boolean =>
  mayIn(useSuspenseQuery(meQuery()).data, useApp(appId).teamId, needed);
