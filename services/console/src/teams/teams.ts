// Routes of teams.
import { told } from '@landfall/bus';
import { nextCursor, PersonChanged, Role, readCursor, TeamChanged } from '@landfall/contracts';
import { ApiError, etag, ifMatch, ifMatchHeader } from '@landfall/http';
import { z } from 'zod';
import { roleIn } from '../access/authorise.ts';
import { appChanged } from '../apps/changed-app.ts';
import { next, pageQuery, teamName, teamParams } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { assertRole, lockTeam } from './membership.ts';
import { Team } from './team-repository.ts';

const ownRole = Role.nullable().describe(
  "The caller's role. Null for the operator, and for owners of the installation who are not in the team.",
);

export const listTeams = manageRoute({
  method: 'GET',
  path: '/api/manage/teams',
  name: 'listTeams',
  summary: 'List your teams. The operator and owners of the installation get all teams',
  needs: 'signed-in',
  query: pageQuery,
  reply: z.object({ teams: z.array(Team.extend({ role: ownRole })), next: next() }),
  async handle({ caller, query: { limit, cursor } }, { account, lookups }) {
    if (caller.kind === 'token' || caller.kind === 'visitor') {
      const team = await lookups.team(caller.teamId);
      return { teams: team ? [{ ...team, role: roleIn(caller, team.id) }] : [], next: null };
    }
    const all = caller.kind === 'operator' || caller.instanceOwner;
    const teams = await account.teams.list(all ? null : caller.userId, limit, readCursor(cursor ?? null));
    const ownIn = (teamId: string) => (caller.kind === 'session' ? (caller.roles.get(teamId) ?? null) : null);
    return {
      teams: teams.map((team) => ({ ...team, role: team.role ?? ownIn(team.id) })),
      next: nextCursor(teams, limit, ({ createdAt }) => createdAt),
    };
  },
});

export const createTeam = manageRoute({
  method: 'POST',
  path: '/api/manage/teams',
  name: 'createTeam',
  summary:
    'Create a team with you as its owner; for owners of the installation, or for everyone if the settings allow it',
  // Only a person can be the owner, and every team has an owner from the start.
  needs: 'person',
  body: z.object({ name: teamName() }),
  reply: z.object({ team: Team }),
  errors: ['FORBIDDEN', 'TOO_MANY_TEAMS'],
  async handle({ caller: { userId }, body: { name }, change, setHeader }, { account, rules }) {
    const team = await change('CreateTeam', async ({ tx, id, now }) => {
      const found = await account.people.lock(tx, userId);
      if (!found) throw new ApiError('FORBIDDEN');
      if (!found.person.instanceOwner) {
        if (rules.TEAM_CREATION === 'instance-owner') throw new ApiError('FORBIDDEN');
        const owned = await tx.member.count({ where: { userId, role: 'owner' } });
        if (owned >= rules.MAX_TEAMS_PER_PERSON) throw new ApiError('TOO_MANY_TEAMS');
      }
      const team = await account.teams.insert(tx, { id, name, now });
      await account.teams.addMember(tx, id, userId, 'owner', now);
      const events = [told(PersonChanged, { userId })];
      return { subject: id, teamId: id, after: { name }, done: team, events };
    });
    setHeader('ETag', etag(team));
    return { team };
  },
});

export const getTeam = manageRoute({
  method: 'GET',
  path: '/api/manage/teams/:teamId',
  name: 'getTeam',
  summary: 'Get a team',
  needs: { role: 'viewer', of: 'team' },
  params: teamParams,
  reply: z.object({ team: Team, role: Role.describe("The caller's role in the team.") }),
  async handle({ caller, params: { teamId }, setHeader }, { lookups }) {
    const team = await lookups.team(teamId);
    const role = roleIn(caller, teamId);
    if (!team || !role) throw new ApiError('TEAM_NOT_FOUND');
    setHeader('ETag', etag(team));
    return { team, role };
  },
});

export const renameTeam = manageRoute({
  method: 'PATCH',
  path: '/api/manage/teams/:teamId',
  name: 'renameTeam',
  summary: 'Rename a team',
  needs: { role: 'owner', of: 'team' },
  params: teamParams,
  headers: ifMatchHeader,
  body: z.object({ name: teamName() }),
  reply: z.object({ team: Team }),
  errors: ['VERSION_MISMATCH'],
  async handle({ params: { teamId }, body: { name }, headers, change, setHeader }, { account }) {
    const assertMatch = ifMatch(headers);
    const team = await change('RenameTeam', async ({ tx, actor }) => {
      const { team: before, members } = await lockTeam(account, tx, teamId);
      assertRole(members, actor, 'owner');
      assertMatch(before);
      const team = await account.teams.rename(tx, teamId, name);
      const events = [told(TeamChanged, { teamId })];
      return { subject: teamId, teamId, before: { name: before.name }, after: { name }, done: team, events };
    });
    setHeader('ETag', etag(team));
    return { team };
  },
});

export const deleteTeam = manageRoute({
  method: 'DELETE',
  path: '/api/manage/teams/:teamId',
  name: 'deleteTeam',
  summary:
    'Delete a team that has no live app: its members leave, its tokens end, and its archived apps go to the operator',
  needs: { role: 'owner', of: 'team' },
  params: teamParams,
  headers: ifMatchHeader,
  reply: z.object({}),
  errors: ['TEAM_HAS_APPS', 'VERSION_MISMATCH'],
  async handle({ params: { teamId }, headers, change }, { account }) {
    const assertMatch = ifMatch(headers);
    return change('DeleteTeam', async ({ tx, actor, now }) => {
      const { team, members } = await lockTeam(account, tx, teamId);
      assertRole(members, actor, 'owner');
      assertMatch(team);
      const apps = await account.apps.lockOfTeam(tx, teamId);
      if (apps.some(({ archivedAt }) => archivedAt === null)) throw new ApiError('TEAM_HAS_APPS');
      await account.tokens.revokeAll(tx, { teamId }, now);
      await account.teams.remove(tx, teamId);
      const events = [told(TeamChanged, { teamId }), ...members.map(({ userId }) => told(PersonChanged, { userId }))];
      for (const { id } of apps)
        events.push(await appChanged(account, tx, await account.apps.change(tx, id, { teamId: null })));
      // The operator finds the entry of an archived app among the entries without a team.
      const also = apps.map(({ id }) => ({ subject: id, appId: id, before: { teamId }, after: { teamId: null } }));
      return { subject: teamId, teamId, before: { name: team.name }, done: {}, also, events };
    });
  },
});
