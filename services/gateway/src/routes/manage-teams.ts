// Routes of teams and their members.
import {
  CreateTeam,
  DeleteTeam,
  ListMembers,
  ListTeams,
  RemoveMember,
  RenameTeam,
  Role,
  SetRole,
} from '@landfall/contracts';
import { z } from 'zod';
import { roleIn } from '../access/authorise.ts';
import { ApiError } from '../http/errors.ts';
import { askIfMatch, etag, ifMatchHeader } from '../http/etags.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import {
  id,
  invitationView,
  memberView,
  next,
  pageQuery,
  teamName,
  teamParams,
  teamView,
  viewInvitation,
  viewMember,
} from './manage-fields.ts';

const ownRole = Role.nullable().describe(
  "The caller's role. Null for the operator, and for owners of the installation who are not in the team.",
);
const memberParams = teamParams.extend({ userId: id() });

export const listTeams = manageRoute({
  method: 'GET',
  path: '/api/manage/teams',
  name: 'listTeams',
  summary: 'List your teams. The operator and owners of the installation get all teams',
  needs: 'signed-in',
  query: pageQuery,
  reply: z.object({ teams: z.array(teamView.extend({ role: ownRole })), next: next() }),
  errors: [],
  async handle({ caller, query: { limit, cursor } }, { bus, lookups }) {
    if (caller.kind === 'token' || caller.kind === 'visitor') {
      const team = await lookups.team(caller.teamId);
      return { teams: team ? [{ ...team, role: roleIn(caller, team.id) }] : [], next: null };
    }
    const all = caller.kind === 'operator' || caller.instanceOwner;
    const userId = all ? null : caller.userId;
    const page = orRefuse(await bus.ask(ListTeams, { userId, limit, cursor: cursor ?? null }));
    const ownIn = (teamId: string) => (caller.kind === 'session' ? (caller.roles.get(teamId) ?? null) : null);
    return { teams: page.teams.map((team) => ({ ...team, role: team.role ?? ownIn(team.id) })), next: page.next };
  },
});

export const createTeam = manageRoute({
  method: 'POST',
  path: '/api/manage/teams',
  name: 'createTeam',
  summary:
    'Create a team with you as its owner; for owners of the installation, or for everyone if the settings allow it',
  needs: 'person',
  body: z.object({ name: teamName() }),
  reply: z.object({ team: teamView }),
  errors: ['FORBIDDEN', 'TOO_MANY_TEAMS'],
  async handle({ caller: { userId }, actor, body: { name }, setHeader }, { bus, lookups }) {
    const { team } = orRefuse(await bus.ask(CreateTeam, { actor: actor(), name }));
    lookups.forgetPerson(userId);
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
  reply: z.object({ team: teamView, role: Role.describe("The caller's role in the team.") }),
  errors: [],
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
  reply: z.object({ team: teamView }),
  errors: ['VERSION_MISMATCH'],
  async handle({ actor, params: { teamId }, body: { name }, headers, setHeader }, { bus, lookups }) {
    const by = actor();
    const rename = (ifVersion: number | null) => bus.ask(RenameTeam, { actor: by, teamId, name, ifVersion });
    const { team } = orRefuse(await askIfMatch(headers, rename));
    lookups.forgetTeam(teamId);
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
  async handle({ caller, actor, params: { teamId }, headers }, { bus, lookups }) {
    const by = actor();
    const remove = (ifVersion: number | null) => bus.ask(DeleteTeam, { actor: by, teamId, ifVersion });
    orRefuse(await askIfMatch(headers, remove));
    lookups.forgetTeam(teamId);
    if (caller.kind === 'session') lookups.forgetPerson(caller.userId);
    return {};
  },
});

export const listMembers = manageRoute({
  method: 'GET',
  path: '/api/manage/teams/:teamId/members',
  name: 'listMembers',
  summary: 'List the members of a team and its invitations',
  needs: { role: 'viewer', of: 'team', except: 'visitors' },
  params: teamParams,
  reply: z.object({ members: z.array(memberView), invitations: z.array(invitationView) }),
  errors: [],
  async handle({ params: { teamId } }, { bus, sealer }) {
    const { members, invitations } = orRefuse(await bus.ask(ListMembers, { teamId }));
    return {
      members: members.map((one) => viewMember(one, sealer)),
      invitations: invitations.map((one) => viewInvitation(one, sealer)),
    };
  },
});

export const setRole = manageRoute({
  method: 'PATCH',
  path: '/api/manage/teams/:teamId/members/:userId',
  name: 'setRole',
  summary: 'Change the role of a member, never above your own',
  needs: { role: 'admin', of: 'team', except: 'tokens' },
  params: memberParams,
  body: z.object({ role: Role }),
  reply: z.object({ member: memberView }),
  errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  async handle({ actor, params: { teamId, userId }, body: { role } }, { bus, lookups, sealer }) {
    const { member } = orRefuse(await bus.ask(SetRole, { actor: actor(), teamId, userId, role }));
    lookups.forgetPerson(userId);
    return { member: viewMember(member, sealer) };
  },
});

export const removeMember = manageRoute({
  method: 'DELETE',
  path: '/api/manage/teams/:teamId/members/:userId',
  name: 'removeMember',
  summary: 'Leave a team, or remove a member whose role is not above your own',
  // Every member may leave. The service decides whom they may remove.
  needs: { role: 'viewer', of: 'team', except: 'tokens' },
  params: memberParams,
  reply: z.object({}),
  errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  async handle({ actor, params: { teamId, userId } }, { bus, lookups }) {
    orRefuse(await bus.ask(RemoveMember, { actor: actor(), teamId, userId }));
    lookups.forgetPerson(userId);
    return {};
  },
});
