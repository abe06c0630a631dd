// Messages about teams, their members, roles and invitations.
import { z } from 'zod';
import { event, request } from '../define.ts';
import { cursor, hash, instant, page, text, uuid } from '../fields.ts';
import { VERSION_MISMATCH } from './apps.ts';
import { actor, email, Role } from './people/rights.ts';

const queries = 'account.queries';
const commands = 'account.commands';

export const Team = z.object({ id: uuid(), name: text(200).min(1), createdAt: instant(), version: z.int() });
export type Team = z.output<typeof Team>;

export const Member = z.object({
  userId: uuid(),
  email: email(),
  /** True when a sign-in provider or a reset has confirmed that the member owns the email. */
  emailVerified: z.boolean().default(false),
  name: text(200),
  role: Role,
  since: instant(),
});
export type Member = z.output<typeof Member>;

export const Invitation = z.object({
  id: uuid(),
  teamId: uuid(),
  email: email(),
  role: Role,
  invitedBy: uuid().nullable(),
  createdAt: instant(),
  expiresAt: instant(),
});
export type Invitation = z.output<typeof Invitation>;

const TEAM_NOT_FOUND = z.object({});
/** The actor's role in the team is no longer sufficient. */
const FORBIDDEN = z.object({});
const LAST_OWNER = z.object({});
const MEMBER_NOT_FOUND = z.object({});
const INVITATION_NOT_FOUND = z.object({});

export const CreateTeam = request({
  kind: 'command',
  name: 'CreateTeam',
  description: 'Creates a team, with the caller as its owner.',
  topic: commands,
  input: z.object({ actor: actor(), name: Team.shape.name }),
  reply: z.object({ team: Team }),
  /**
   * Only a person can create a team, because a team has an owner. The settings may allow only owners of the
   * installation to create teams.
   */
  refusals: { FORBIDDEN, TOO_MANY_TEAMS: z.object({}) },
  key: (_, id) => id,
});

export const RenameTeam = request({
  kind: 'command',
  name: 'RenameTeam',
  description: 'Changes the name of a team.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), name: Team.shape.name, ifVersion: z.int().nullable() }),
  reply: z.object({ team: Team }),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, VERSION_MISMATCH },
  key: (input) => input.teamId,
});

export const DeleteTeam = request({
  kind: 'command',
  name: 'DeleteTeam',
  description: 'Deletes a team that has no live app. Its archived apps then belong only to the operator.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), ifVersion: z.int().nullable() }),
  reply: z.object({}),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, VERSION_MISMATCH, TEAM_HAS_APPS: z.object({}) },
  key: (input) => input.teamId,
});

export const ListTeams = request({
  kind: 'query',
  name: 'ListTeams',
  description: 'Lists the teams of a person with their role in each, or all teams; latest first.',
  topic: queries,
  /** Null `userId`: all teams. */
  input: z.object({ userId: uuid().nullable(), ...page }),
  reply: z.object({ teams: z.array(Team.extend({ role: Role.nullable() })), next: cursor().nullable() }),
  refusals: {},
  key: (input, id) => input.userId ?? id,
});

export const FindTeam = request({
  kind: 'query',
  name: 'FindTeam',
  description: 'A team.',
  topic: queries,
  input: z.object({ teamId: uuid() }),
  reply: z.object({ team: Team }),
  refusals: { TEAM_NOT_FOUND },
  key: (input) => input.teamId,
});

export const ListMembers = request({
  kind: 'query',
  name: 'ListMembers',
  description: 'Lists the members of a team and its invitations.',
  topic: queries,
  input: z.object({ teamId: uuid() }),
  reply: z.object({ members: z.array(Member), invitations: z.array(Invitation) }),
  refusals: { TEAM_NOT_FOUND },
  key: (input) => input.teamId,
});

export const Invite = request({
  kind: 'command',
  name: 'Invite',
  description:
    'Invites a person to a team with a one-time code, of which only the hash is sent. It replaces an earlier invitation.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), email: email(), role: Role, codeHash: hash() }),
  reply: z.object({ invitation: Invitation }),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, ALREADY_MEMBER: z.object({}) },
  key: (input) => input.teamId,
});

export const RevokeInvitation = request({
  kind: 'command',
  name: 'RevokeInvitation',
  description: 'Withdraws an invitation.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), invitationId: uuid() }),
  reply: z.object({}),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, INVITATION_NOT_FOUND },
  key: (input) => input.teamId,
});

export const FindInvitation = request({
  kind: 'query',
  name: 'FindInvitation',
  description: 'Finds an invitation by the hash of its code.',
  topic: queries,
  input: z.object({ codeHash: hash() }),
  reply: z.object({ invitation: Invitation, teamName: text(200) }),
  refusals: { INVITATION_NOT_FOUND },
  key: (input) => input.codeHash,
});

export const AcceptInvitation = request({
  kind: 'command',
  name: 'AcceptInvitation',
  description: 'Makes a signed-in person a member of the team that invited them.',
  topic: commands,
  input: z.object({ actor: actor(), userId: uuid(), codeHash: hash() }),
  reply: z.object({ team: Team, role: Role }),
  refusals: {
    INVITATION_NOT_FOUND,
    /** The invitation is for another email. */
    INVITED_OTHER: z.object({}),
  },
  key: (input) => input.codeHash,
});

export const SetRole = request({
  kind: 'command',
  name: 'SetRole',
  description: 'Changes the role of a member, never above the role of the actor.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), userId: uuid(), role: Role }),
  reply: z.object({ member: Member }),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, MEMBER_NOT_FOUND, LAST_OWNER },
  key: (input) => input.teamId,
});

export const RemoveMember = request({
  kind: 'command',
  name: 'RemoveMember',
  description: 'Removes a person from a team. People may remove themselves.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), userId: uuid() }),
  reply: z.object({}),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, MEMBER_NOT_FOUND, LAST_OWNER },
  key: (input) => input.teamId,
});

export const TransferApp = request({
  kind: 'command',
  name: 'TransferApp',
  description: 'Gives an app to another team, in which the actor must also be an owner.',
  topic: commands,
  input: z.object({ actor: actor(), appId: uuid(), teamId: uuid() }),
  reply: z.object({ teamId: uuid() }),
  refusals: { APP_NOT_FOUND: z.object({}), TEAM_NOT_FOUND, FORBIDDEN, TOO_MANY_APPS: z.object({}) },
  key: (input) => input.appId,
});

export const TeamChanged = event({
  name: 'TeamChanged',
  description: 'A team changed. Caches must drop it.',
  audience: 'internal',
  producer: 'account',
  topic: 'team.changed',
  data: z.object({ teamId: uuid().describe('The team.') }),
  key: (data) => data.teamId,
});
