// Routes of the members of a team.
import { told } from '@landfall/bus';
import { PersonChanged, Role } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { id, teamParams } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { assertMayGive, assertMayRemove, lockTeam, noLongerGiven } from './membership.ts';
import { invitationView, memberView } from './team-repository.ts';

const memberParams = teamParams.extend({ userId: id() });

export const listMembers = manageRoute({
  method: 'GET',
  path: '/api/manage/teams/:teamId/members',
  name: 'listMembers',
  summary: 'List the members of a team and its invitations',
  needs: { role: 'viewer', of: 'team', except: 'visitors' },
  params: teamParams,
  reply: z.object({ members: z.array(memberView), invitations: z.array(invitationView) }),
  async handle({ params: { teamId } }, { account, now }) {
    if (!(await account.teams.find(teamId))) throw new ApiError('TEAM_NOT_FOUND');
    const members = await account.teams.members(teamId);
    return { members, invitations: await account.teams.invitations(teamId, now()) };
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
  async handle({ params: { teamId, userId }, body: { role }, change }, { account }) {
    const member = await change('SetRole', async ({ tx, actor, now }) => {
      const { members } = await lockTeam(account, tx, teamId);
      const before = assertMayGive(members, actor, userId, role);
      await tx.member.update({ where: { teamId_userId: { teamId, userId } }, data: { role } });
      await account.teams.takeBack(tx, { teamId, invitedBy: userId, roles: noLongerGiven(role) }, now);
      return {
        subject: userId,
        teamId,
        before: { role: before.role },
        after: { role },
        done: { ...before, role },
        events: [told(PersonChanged, { userId })],
      };
    });
    return { member };
  },
});

export const removeMember = manageRoute({
  method: 'DELETE',
  path: '/api/manage/teams/:teamId/members/:userId',
  name: 'removeMember',
  summary: 'Leave a team, or remove a member whose role is not above your own',
  // Every member may leave. The change decides whom they may remove.
  needs: { role: 'viewer', of: 'team', except: 'tokens' },
  params: memberParams,
  reply: z.object({}),
  errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  async handle({ params: { teamId, userId }, change }, { account }) {
    return change('RemoveMember', async ({ tx, actor, now }) => {
      const { members } = await lockTeam(account, tx, teamId);
      const { role } = assertMayRemove(members, actor, userId);
      await tx.member.delete({ where: { teamId_userId: { teamId, userId } } });
      // The tokens and invitations of the member end for ever. A member who joins again does not get them back.
      await account.tokens.revokeAll(tx, { teamId, userId }, now);
      await account.teams.takeBack(tx, { teamId, invitedBy: userId, roles: noLongerGiven(null) }, now);
      return { subject: userId, teamId, before: { role }, done: {}, events: [told(PersonChanged, { userId })] };
    });
  },
});
