// Routes of invitations to a team. An invitation has a code that can be used once.
import { randomUUID } from 'node:crypto';
import { told } from '@landfall/bus';
import { PersonChanged, passwordText, Role, text } from '@landfall/contracts';
import { ApiError, sha256 } from '@landfall/http';
import { z } from 'zod';
import { curlPost, makeSecret } from '../access/one-time.ts';
import { invitationMail } from '../mail/mails.ts';
import type { ConsoleParts } from '../parts.ts';
import { hashNew } from '../passwords/new-password.ts';
import { code, newEmail, personName } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import {
  beginSession,
  type NewSession,
  personsChanged,
  sessionOfBrowser,
  signedInReply,
} from '../sessions/session-of-browser.ts';
import { invitationView } from './invitation-repository.ts';
import { assertMayInvite, assertRole, lockTeam } from './membership.ts';
import { Team } from './team-repository.ts';

const JOIN = '/api/manage/invitations/join';
const DAY_MS = 86_400_000;
const LIFETIME_MS = 7 * DAY_MS;
/** Emails of one team. More would be those of a sender of spam. */
const MAILS_A_DAY = 100;

export const invite = manageRoute('POST /api/manage/teams/:teamId/invitations', {
  summary: 'Invite a person, with a role not above your own: by email, or with a code for you to send, shown only once',
  needs: { role: 'admin', of: 'team', except: 'tokens' },
  body: z.object({
    email: newEmail(),
    role: Role,
    mail: z
      .boolean()
      .default(false)
      .describe('`true`: the person gets the code by email, and nobody else. Needs `SMTP_URL`.'),
  }),
  reply: z.object({
    invitation: invitationView,
    code: code().nullable().describe('Can be used once, by the owner of this email. Null: it was sent by email.'),
    curl: z
      .string()
      .nullable()
      .describe(
        'The command for a person without an account. A person with an account signs in and accepts the invitation. Null: the code was sent by email.',
      ),
  }),
  errors: ['ALREADY_MEMBER', 'MAIL_OFF', 'MAIL_FAILED', 'TOO_MANY_MAILS'],
  async handle({ params: { teamId }, body: { email, role, mail }, change }, { account, config, mailer, log }) {
    if (mail && !mailer) throw new ApiError('MAIL_OFF');
    const { plaintext, hash: codeHash } = makeSecret();
    const { invitation, team } = await change('Invite', async (at) => {
      const { tx, actor, id, now } = at;
      const { team, members } = await lockTeam(at, teamId);
      assertMayInvite(members, actor, role);
      const known = await account.people.findByEmail(email, tx);
      if (members.some(({ userId }) => userId === known?.person.id)) throw new ApiError('ALREADY_MEMBER');
      if (mail && (await account.invitations.mailedSince(tx, teamId, new Date(now.getTime() - DAY_MS))) >= MAILS_A_DAY)
        throw new ApiError('TOO_MANY_MAILS');
      const times = { createdAt: now, expiresAt: new Date(now.getTime() + LIFETIME_MS) };
      const offer = { id, teamId, email, role, codeHash, invitedBy: actor.userId, mailed: mail, ...times };
      const invitation = await account.invitations.insert(tx, offer);
      const after = { email: invitation.email, role, ...(mail && { mailed: true }) };
      return { subject: id, teamId, after, done: { invitation, team } };
    });
    if (mail) {
      const text = invitationMail(team.name, `${config.PUBLIC_URL}/join#${plaintext}`);
      await mailer!.send({ id: invitation.id, to: invitation.email, ...text }).catch(async (err: unknown) => {
        log.warn({ err, invitationId: invitation.id }, 'an invitation was not sent');
        // Nobody has its code.
        await change('RevokeInvitation', async ({ tx, now }) => {
          await account.invitations.close(tx, { id: invitation.id, teamId }, null, now);
          return { subject: invitation.id, teamId, before: { email: invitation.email, role }, done: {} };
        });
        throw new ApiError('MAIL_FAILED');
      });
      return { invitation, code: null, curl: null };
    }
    const joining = { code: plaintext, name: 'Your name', password: '…' };
    const curl = curlPost(`${config.PUBLIC_URL}${JOIN}`, joining);
    return { invitation, code: plaintext, curl };
  },
});

export const revokeInvitation = manageRoute('DELETE /api/manage/teams/:teamId/invitations/:invitationId', {
  summary: 'Withdraw an invitation',
  needs: { role: 'admin', of: 'team', except: 'tokens' },
  reply: z.object({}),
  errors: ['INVITATION_NOT_FOUND'],
  async handle({ params: { teamId, invitationId }, change }, { account }) {
    return change('RevokeInvitation', async (at) => {
      const { members } = await lockTeam(at, teamId);
      assertRole(members, at.actor, 'admin');
      const closed = await account.invitations.close(at.tx, { id: invitationId, teamId }, null, at.now);
      if (!closed) throw new ApiError('INVITATION_NOT_FOUND');
      return { subject: invitationId, teamId, before: { email: closed.email, role: closed.role }, done: {} };
    });
  },
});

export const lookAtInvitation = manageRoute('POST /api/manage/invitations/look', {
  summary: 'Get an invitation by its code',
  needs: 'anyone',
  body: z.object({ code: code() }),
  reply: z.object({ teamName: text(200), ...invitationView.pick({ email: true, role: true, expiresAt: true }).shape }),
  errors: ['INVITATION_NOT_FOUND'],
  async handle({ body: { code } }, { account, now }) {
    const found = await account.invitations.find(sha256(code), now());
    if (!found) throw new ApiError('INVITATION_NOT_FOUND');
    const { email, role, expiresAt } = found.invitation;
    return { teamName: found.team.name, email, role, expiresAt };
  },
});

export const acceptInvitation = manageRoute('POST /api/manage/invitations/accept', {
  summary: 'Accept an invitation to a team',
  needs: 'person',
  body: z.object({ code: code() }),
  reply: z.object({ team: Team, role: Role }),
  errors: ['INVITATION_NOT_FOUND', 'INVITED_OTHER'],
  async handle({ caller: { userId }, body: { code }, change }, { account }) {
    return change('AcceptInvitation', async ({ tx, now }) => {
      const offer = await account.invitations.find(sha256(code), now, tx);
      if (!offer) throw new ApiError('INVITATION_NOT_FOUND');
      const { id: invitationId, teamId, role, email } = offer.invitation;
      if ((await account.people.find(userId, tx))?.person.email !== email) throw new ApiError('INVITED_OTHER');
      const team = await account.teams.lock(tx, teamId);
      // Checked under the lock of the team, because the invitation may have been revoked a moment ago.
      const closed = await account.invitations.close(tx, { id: invitationId, teamId }, userId, now);
      if (!team || !closed) throw new ApiError('INVITATION_NOT_FOUND');
      const already = (await account.teams.members(teamId, tx)).find((member) => member.userId === userId);
      if (!already) await account.teams.addMember(tx, teamId, userId, role, now);
      const done = { team, role: already?.role ?? role };
      const events = [told(PersonChanged, { userId })];
      return { subject: userId, teamId, after: { invitationId, role: done.role }, done, events };
    });
  },
});

export const join = manageRoute(`POST ${JOIN}`, {
  summary: 'Accept an invitation to a team with a new account, and sign in',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ code: code(), name: personName(), password: passwordText() }),
  reply: z.object({ ...signedInReply, team: Team, role: Role }),
  errors: ['SIGN_IN_BUSY', 'INVITATION_NOT_FOUND', 'PERSON_EXISTS', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON'],
  async handle(call, parts) {
    const { give, ...begun } = sessionOfBrowser(call, parts);
    const { team, role, ...signedIn } = await parts.signIns.run(null, call, () => makeMember(call.body, begun, parts));
    return { ...give(signedIn), team, role };
  },
});

async function makeMember(
  { code, name, password }: { code: string; name: string; password: string },
  browser: NewSession,
  { account, change, passwords, now }: ConsoleParts,
) {
  const found = await account.invitations.find(sha256(code), now());
  if (!found) throw new ApiError('INVITATION_NOT_FOUND');
  const { team, invitation, mailed } = found;
  const { id: invitationId, teamId, role, email } = invitation;
  if (await account.people.findByEmail(email)) throw new ApiError('PERSON_EXISTS');
  const passwordHash = await hashNew(password, passwords);
  const userId = randomUUID();
  const actor = { kind: 'person', userId, tokenId: null, address: browser.address } as const;
  return change({ command: 'JoinByInvitation', actor, now: now() }, async (at) => {
    const { tx, now } = at;
    await account.teams.lock(tx, teamId);
    const closed = await account.invitations.close(tx, { id: invitationId, teamId }, userId, now);
    if (!closed) throw new ApiError('INVITATION_NOT_FOUND');
    // Another team may have invited the same person, who joins both at this moment.
    await account.people.lockEmail(tx, email);
    if (await account.people.findByEmail(email, tx)) throw new ApiError('PERSON_EXISTS');
    const person = await account.people.insert(tx, {
      id: userId,
      email,
      name,
      passwordHash,
      instanceOwner: false,
      // Whoever made the invitation has its code, too, and may be the one who joins. Unless it went to the mailbox alone.
      emailConfirmedAt: mailed ? now : null,
      claimable: !mailed,
      createdAt: now,
    });
    await account.teams.addMember(tx, teamId, userId, role, now);
    const { session, left } = await beginSession(at, browser, userId, randomUUID());
    const after = { invitationId, role, email };
    const done = { session, person, team, role };
    return { subject: userId, teamId, after, done, events: personsChanged(userId, left) };
  });
}
