// Routes of invitations to a team. An invitation has a code that can be used once.
import {
  AcceptInvitation,
  FindInvitation,
  Invite,
  JoinByInvitation,
  passwordText,
  RevokeInvitation,
  Role,
  text,
} from '@landfall/contracts';
import { z } from 'zod';
import { makeSecret } from '../access/one-time.ts';
import { sha256 } from '../hashes.ts';
import { manageRoute, orRefuse, type Uses } from '../routing/route.ts';
import { beginSession, signedInReply } from './begin-session.ts';
import { curlPost } from './curl.ts';
import {
  code,
  id,
  invitationView,
  newEmail,
  personName,
  teamParams,
  teamView,
  viewInvitation,
} from './manage-fields.ts';

const JOIN = '/api/manage/invitations/join';

const byAdmins = { needs: { role: 'admin', of: 'team', except: 'tokens' } } as const;

export const invite = manageRoute({
  ...byAdmins,
  method: 'POST',
  path: '/api/manage/teams/:teamId/invitations',
  name: 'invite',
  summary: 'Invite a person, with a role not above your own; send them the code, which is shown only once',
  params: teamParams,
  body: z.object({ email: newEmail(), role: Role }),
  reply: z.object({
    invitation: invitationView,
    code: code().describe('Can be used once, by the owner of this email.'),
    curl: z
      .string()
      .describe(
        'The command for a person without an account. A person with an account signs in and accepts the invitation.',
      ),
  }),
  errors: ['ALREADY_MEMBER'],
  async handle({ actor, params: { teamId }, body: { email, role } }, { bus, sealer, config }) {
    const { plaintext, hash: codeHash } = makeSecret();
    const command = { actor: actor(), teamId, email: sealer.seal('email', email), role, codeHash };
    const { invitation } = orRefuse(await bus.ask(Invite, command));
    const joining = { code: plaintext, name: 'Your name', password: '…' };
    const curl = curlPost(`${config.PUBLIC_URL}${JOIN}`, joining);
    return { invitation: viewInvitation(invitation, sealer), code: plaintext, curl };
  },
});

export const revokeInvitation = manageRoute({
  ...byAdmins,
  method: 'DELETE',
  path: '/api/manage/teams/:teamId/invitations/:invitationId',
  name: 'revokeInvitation',
  summary: 'Withdraw an invitation',
  params: teamParams.extend({ invitationId: id() }),
  reply: z.object({}),
  errors: ['INVITATION_NOT_FOUND'],
  async handle({ actor, params: { teamId, invitationId } }, { bus }) {
    return orRefuse(await bus.ask(RevokeInvitation, { actor: actor(), teamId, invitationId }));
  },
});

export const lookAtInvitation = manageRoute({
  method: 'POST',
  path: '/api/manage/invitations/look',
  name: 'lookAtInvitation',
  summary: 'Get an invitation by its code',
  needs: 'anyone',
  body: z.object({ code: code() }),
  reply: z.object({ teamName: text(200), ...invitationView.pick({ email: true, role: true, expiresAt: true }).shape }),
  errors: ['INVITATION_NOT_FOUND'],
  async handle({ body: { code } }, { bus, sealer }) {
    const { invitation, teamName } = orRefuse(await bus.ask(FindInvitation, { codeHash: sha256(code) }));
    const { email, role, expiresAt } = viewInvitation(invitation, sealer);
    return { teamName, email, role, expiresAt };
  },
});

export const acceptInvitation = manageRoute({
  method: 'POST',
  path: '/api/manage/invitations/accept',
  name: 'acceptInvitation',
  summary: 'Accept an invitation to a team',
  needs: 'person',
  body: z.object({ code: code() }),
  reply: z.object({ team: teamView, role: Role }),
  errors: ['INVITATION_NOT_FOUND', 'INVITED_OTHER'],
  async handle({ caller: { userId }, actor, body: { code } }, { bus, lookups }) {
    const accepted = orRefuse(await bus.ask(AcceptInvitation, { actor: actor(), userId, codeHash: sha256(code) }));
    lookups.forgetPerson(userId);
    return accepted;
  },
});

export const join = manageRoute({
  method: 'POST',
  path: JOIN,
  name: 'joinByInvitation',
  summary: 'Accept an invitation to a team with a new account, and sign in',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({
    code: code(),
    name: personName(),
    password: passwordText().meta({ format: 'password' }),
  }),
  reply: z.object({ ...signedInReply, team: teamView, role: Role }),
  errors: ['SIGN_IN_BUSY', 'INVITATION_NOT_FOUND', 'PERSON_EXISTS', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON'],
  async handle(call, parts: Uses<'bus' | 'hashes' | 'sealer' | 'cookies' | 'signIns' | 'now'>) {
    const { code, name, password } = call.body;
    const { give, ...begun } = beginSession(call, parts);
    const command = {
      codeHash: sha256(code),
      name,
      password: parts.sealer.seal('password', password),
      ...begun,
    };
    const answer = await parts.signIns.run(null, call, () => parts.bus.ask(JoinByInvitation, command));
    const { team, role, ...signedIn } = orRefuse(answer);
    return { ...give(signedIn), team, role };
  },
});
