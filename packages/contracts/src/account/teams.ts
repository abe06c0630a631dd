// Teams: who is in one, with which role, and how people come and go.
import { z } from 'zod';
import { event, request } from '../define.ts';
import { cursor, hash, instant, page, text, uuid } from '../fields.ts';
import { VERSION_MISMATCH } from './apps.ts';
import { actor, email, Role } from './people/rights.ts';

const queries = 'account.queries';
const commands = 'account.commands';

export const Team = z.object({ id: uuid(), name: text(200).min(1), createdAt: instant(), version: z.int() });
export type Team = z.output<typeof Team>;

export const Member = z.object({ userId: uuid(), email: email(), name: text(200), role: Role, since: instant() });
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
/** The actor's role in the team is too small by now for what they ask. */
const FORBIDDEN = z.object({});
const LAST_OWNER = z.object({});
const MEMBER_NOT_FOUND = z.object({});
const INVITATION_NOT_FOUND = z.object({});

export const CreateTeam = request({
  kind: 'command',
  name: 'CreateTeam',
  description: 'Makes a team, with the person who asks as its owner.',
  topic: commands,
  input: z.object({ actor: actor(), name: Team.shape.name }),
  reply: z.object({ team: Team }),
  /** Only a person makes one, because a team has an owner; and only an owner of the installation, where it says so. */
  refusals: { FORBIDDEN, TOO_MANY_TEAMS: z.object({}) },
  key: (_, id) => id,
});

export const RenameTeam = request({
  kind: 'command',
  name: 'RenameTeam',
  description: 'Gives a team another name.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), name: Team.shape.name, ifVersion: z.int().nullable() }),
  reply: z.object({ team: Team }),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, VERSION_MISMATCH },
  key: (input) => input.teamId,
});

export const DeleteTeam = request({
  kind: 'command',
  name: 'DeleteTeam',
  description: "Deletes a team that has no live app; its archived apps are nobody's then but the operator's.",
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), ifVersion: z.int().nullable() }),
  reply: z.object({}),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, VERSION_MISMATCH, TEAM_HAS_APPS: z.object({}) },
  key: (input) => input.teamId,
});

export const ListTeams = request({
  kind: 'query',
  name: 'ListTeams',
  description: 'The teams of a person with their role in each, or all teams; latest first.',
  topic: queries,
  /** Without a person: all teams. */
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
  description: 'The people of a team, and who is invited.',
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
    'Invites somebody to a team by a one-time code, of which only the hash travels, instead of the invitation before.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), email: email(), role: Role, codeHash: hash() }),
  reply: z.object({ invitation: Invitation }),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, ALREADY_MEMBER: z.object({}) },
  key: (input) => input.teamId,
});

export const RevokeInvitation = request({
  kind: 'command',
  name: 'RevokeInvitation',
  description: 'Takes an invitation back.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), invitationId: uuid() }),
  reply: z.object({}),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, INVITATION_NOT_FOUND },
  key: (input) => input.teamId,
});

export const FindInvitation = request({
  kind: 'query',
  name: 'FindInvitation',
  description: 'What an invitation is to, by the hash of its code.',
  topic: queries,
  input: z.object({ codeHash: hash() }),
  reply: z.object({ invitation: Invitation, teamName: text(200) }),
  refusals: { INVITATION_NOT_FOUND },
  key: (input) => input.codeHash,
});

export const AcceptInvitation = request({
  kind: 'command',
  name: 'AcceptInvitation',
  description: 'Makes a person who is signed in a member of the team that they were invited to.',
  topic: commands,
  input: z.object({ actor: actor(), userId: uuid(), codeHash: hash() }),
  reply: z.object({ team: Team, role: Role }),
  refusals: {
    INVITATION_NOT_FOUND,
    /** It is for another email. */
    INVITED_OTHER: z.object({}),
  },
  key: (input) => input.codeHash,
});

export const SetRole = request({
  kind: 'command',
  name: 'SetRole',
  description: 'Gives a member another role, never above the role of who gives it.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), userId: uuid(), role: Role }),
  reply: z.object({ member: Member }),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, MEMBER_NOT_FOUND, LAST_OWNER },
  key: (input) => input.teamId,
});

export const RemoveMember = request({
  kind: 'command',
  name: 'RemoveMember',
  description: 'Takes a person out of a team; a person may take themselves out.',
  topic: commands,
  input: z.object({ actor: actor(), teamId: uuid(), userId: uuid() }),
  reply: z.object({}),
  refusals: { TEAM_NOT_FOUND, FORBIDDEN, MEMBER_NOT_FOUND, LAST_OWNER },
  key: (input) => input.teamId,
});

export const TransferApp = request({
  kind: 'command',
  name: 'TransferApp',
  description: 'Gives an app to another team, of which who asks must be an owner, too.',
  topic: commands,
  input: z.object({ actor: actor(), appId: uuid(), teamId: uuid() }),
  reply: z.object({ teamId: uuid() }),
  refusals: { APP_NOT_FOUND: z.object({}), TEAM_NOT_FOUND, FORBIDDEN, TOO_MANY_APPS: z.object({}) },
  key: (input) => input.appId,
});

export const TeamChanged = event({
  name: 'TeamChanged',
  description: 'A team changed: whoever keeps a copy drops it.',
  audience: 'internal',
  producer: 'account',
  topic: 'team.changed',
  data: z.object({ teamId: uuid().describe('The team.') }),
  key: (data) => data.teamId,
});
