import { told } from '@landfall/bus';
import { atLeast, nextCursor, PersonChanged, Role, readCursor, TeamChanged } from '@landfall/contracts';
import { ApiError, etag, ifMatch, ifMatchHeader } from '@landfall/http';
import { z } from 'zod';
import { roleIn } from '../access/authorise.ts';
import { appChanged } from '../apps/changed-app.ts';
import { next, pageQuery, teamName } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { invitationView } from './invitation-repository.ts';
import { assertMayGive, assertMayRemove, assertRole, lockTeam, noLongerGiven } from './membership.ts';
import { memberView, Sharing, Team } from './team-repository.ts';

const ownRole = Role.nullable().describe(
  "The caller's role. Null for the operator, and for owners of the installation who are not in the team.",
);

export const listTeams = manageRoute('GET /api/manage/teams', {
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
    const teams = await account.teams.list(all ? null : caller.userId, limit, readCursor(cursor));
    const ownIn = (teamId: string) => (caller.kind === 'session' ? (caller.roles.get(teamId) ?? null) : null);
    return {
      teams: teams.map((team) => ({ ...team, role: team.role ?? ownIn(team.id) })),
      next: nextCursor(teams, limit, ({ createdAt }) => createdAt),
    };
  },
});

export const createTeam = manageRoute('POST /api/manage/teams', {
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

export const getTeam = manageRoute('GET /api/manage/teams/:teamId', {
  summary: 'Get a team',
  needs: { role: 'viewer', of: 'team' },
  reply: z.object({ team: Team, role: Role.describe("The caller's role in the team.") }),
  async handle({ caller, params: { teamId }, setHeader }, { lookups }) {
    const team = await lookups.team(teamId);
    const role = roleIn(caller, teamId);
    if (!team || !role) throw new ApiError('TEAM_NOT_FOUND');
    setHeader('ETag', etag(team));
    return { team, role };
  },
});

export const updateTeam = manageRoute('PATCH /api/manage/teams/:teamId', {
  summary:
    'Change a team: its name, its need for a second factor, or who may share figures; omitted fields do not change',
  needs: { role: 'owner', of: 'team' },
  headers: ifMatchHeader,
  body: z.object({
    name: teamName().optional(),
    needsSecondFactor: z
      .boolean()
      .optional()
      .describe('`true`: members without a second factor can do nothing in the team until they have one.'),
    sharing: Sharing.optional(),
  }),
  reply: z.object({ team: Team }),
  errors: ['VERSION_MISMATCH', 'SECOND_FACTOR_NEEDED'],
  async handle({ caller, params: { teamId }, body, headers, change, setHeader }, { account }) {
    const assertMatch = ifMatch(headers);
    // Owners who have none would close the team to themselves.
    if (body.needsSecondFactor && caller.kind === 'session' && !caller.isStrong)
      throw new ApiError('SECOND_FACTOR_NEEDED');
    const team = await change('UpdateTeam', async (at) => {
      const { team: before, members } = await lockTeam(at, teamId);
      assertRole(members, at.actor, 'owner');
      assertMatch(before);
      const team = await account.teams.change(at.tx, teamId, body);
      const events = [told(TeamChanged, { teamId })];
      // The rights of the members' sessions change with it.
      if (team.needsSecondFactor !== before.needsSecondFactor)
        for (const { userId } of members) events.push(told(PersonChanged, { userId }));
      return { subject: teamId, teamId, ...changedOf(before, team), done: team, events };
    });
    setHeader('ETag', etag(team));
    return { team };
  },
});

/** The changed fields alone, for the audit log. */
function changedOf(before: Team, after: Team): { before: object; after: object } {
  const names = (['name', 'needsSecondFactor', 'sharing'] as const).filter((name) => before[name] !== after[name]);
  const of = (team: Team) => Object.fromEntries(names.map((name) => [name, team[name]]));
  return { before: of(before), after: of(after) };
}

export const deleteTeam = manageRoute('DELETE /api/manage/teams/:teamId', {
  summary:
    'Delete a team that has no live app: its members leave, its tokens end, and its archived apps go to the operator',
  needs: { role: 'owner', of: 'team' },
  headers: ifMatchHeader,
  reply: z.object({}),
  errors: ['TEAM_HAS_APPS', 'VERSION_MISMATCH'],
  async handle({ params: { teamId }, headers, change }, { account }) {
    const assertMatch = ifMatch(headers);
    return change('DeleteTeam', async (at) => {
      const { tx, actor, now } = at;
      const { team, members } = await lockTeam(at, teamId);
      assertRole(members, actor, 'owner');
      assertMatch(team);
      const apps = await account.apps.lockOfTeam(tx, teamId);
      if (apps.some(({ archivedAt }) => archivedAt === null)) throw new ApiError('TEAM_HAS_APPS');
      await account.tokens.revokeAll(tx, { teamId }, now);
      await account.teams.remove(tx, teamId);
      const events = [told(TeamChanged, { teamId }), ...members.map(({ userId }) => told(PersonChanged, { userId }))];
      for (const { id } of apps) events.push(await appChanged(at, await account.apps.change(tx, id, { teamId: null })));
      // The operator finds the entry of an archived app among the entries without a team.
      const also = apps.map(({ id }) => ({ subject: id, appId: id, before: { teamId }, after: { teamId: null } }));
      return { subject: teamId, teamId, before: { name: team.name }, done: {}, also, events };
    });
  },
});

export const listMembers = manageRoute('GET /api/manage/teams/:teamId/members', {
  summary: 'List the members of a team and its invitations',
  needs: { role: 'viewer', of: 'team', except: 'visitors' },
  reply: z.object({ members: z.array(memberView), invitations: z.array(invitationView) }),
  async handle({ caller, params: { teamId } }, { account, now }) {
    if (!(await account.teams.find(teamId))) throw new ApiError('TEAM_NOT_FOUND');
    const role = roleIn(caller, teamId);
    const found = await account.teams.members(teamId);
    // Whom it is worth to attack is for those alone who can do something about it.
    const members = role && atLeast(role, 'admin') ? found : found.map((member) => ({ ...member, secondFactor: null }));
    return { members, invitations: await account.invitations.list(teamId, now()) };
  },
});

export const setRole = manageRoute('PATCH /api/manage/teams/:teamId/members/:userId', {
  summary: 'Change the role of a member, never above your own',
  needs: { role: 'admin', of: 'team', except: 'tokens' },
  body: z.object({ role: Role }),
  reply: z.object({ member: memberView }),
  errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  async handle({ params: { teamId, userId }, body: { role }, change }, { account }) {
    const member = await change('SetRole', async (at) => {
      const { tx, actor, now } = at;
      const { members } = await lockTeam(at, teamId);
      const before = assertMayGive(members, actor, userId, role);
      await tx.member.update({ where: { teamId_userId: { teamId, userId } }, data: { role } });
      await account.invitations.takeBack(tx, { teamId, invitedBy: userId, roles: noLongerGiven(role) }, now);
      const done = { ...before, role };
      const events = [told(PersonChanged, { userId })];
      return { subject: userId, teamId, before: { role: before.role }, after: { role }, done, events };
    });
    return { member };
  },
});

export const removeMember = manageRoute('DELETE /api/manage/teams/:teamId/members/:userId', {
  summary: 'Leave a team, or remove a member whose role is not above your own',
  // Every member may leave. The change decides whom they may remove.
  needs: { role: 'viewer', of: 'team', except: 'tokens' },
  reply: z.object({}),
  errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  async handle({ params: { teamId, userId }, change }, { account }) {
    return change('RemoveMember', async (at) => {
      const { tx, actor, now } = at;
      const { members } = await lockTeam(at, teamId);
      const { role } = assertMayRemove(members, actor, userId);
      await tx.member.delete({ where: { teamId_userId: { teamId, userId } } });
      // The tokens and invitations of the member end for ever. A member who joins again does not get them back.
      await account.tokens.revokeAll(tx, { teamId, userId }, now);
      await account.invitations.takeBack(tx, { teamId, invitedBy: userId, roles: noLongerGiven(null) }, now);
      return { subject: userId, teamId, before: { role }, done: {}, events: [told(PersonChanged, { userId })] };
    });
  },
});
