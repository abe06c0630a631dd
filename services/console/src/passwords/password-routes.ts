import { hash } from 'node:crypto';
import { passwordText } from '@landfall/contracts';
import { ApiError, sha256 } from '@landfall/http';
import { z } from 'zod';
import { curlPost, makeSecret } from '../access/one-time.ts';
import type { ConsoleParts } from '../parts.ts';
import { endAccess } from '../people/end-access.ts';
import { Person } from '../people/person-repository.ts';
import { code, emailText, knownPassword } from '../routes/manage-fields.ts';
import { type ManageCall, manageRoute } from '../routing/route.ts';
import { hasFactor } from '../second-factor/second-factor-repository.ts';
import { enteredReply, secondStepNeeded, secondStepOf } from '../second-factor/second-step.ts';
import {
  beginSession,
  type NewSession,
  personsChanged,
  sessionOfBrowser,
  signedInReply,
} from '../sessions/session-of-browser.ts';
import { checkPassword } from './check-password.ts';
import { hashNew } from './new-password.ts';

const body = z.object({ current: knownPassword(), next: passwordText() });

export const changePassword = manageRoute('POST /api/manage/me/password', {
  summary: 'Change your password: all your sessions end, and this browser gets a new one',
  needs: 'person',
  limit: 'sign-in',
  body,
  reply: z.object(signedInReply),
  errors: [
    'SIGN_IN_BUSY',
    'WRONG_CREDENTIALS',
    'SIGN_IN_DELAYED',
    'PASSWORD_TOO_SHORT',
    'PASSWORD_COMMON',
    'PERSON_NOT_FOUND',
  ],
  async handle(call, parts) {
    const { give, session } = sessionOfBrowser(call, parts);
    return give(await parts.signIns.run(call.caller.userId, call, () => replace(call, session, parts)));
  },
});

async function replace(
  {
    caller: { userId },
    body: { current, next },
    change,
  }: ManageCall<'person', z.output<typeof body>, undefined, undefined>,
  // The caller's session ends with the others, so there is no session to replace.
  { replaces: _, ...made }: NewSession['session'],
  parts: ConsoleParts,
) {
  const { account } = parts;
  const known = await account.people.find(userId);
  if (!known) throw new ApiError('PERSON_NOT_FOUND');
  // Counted separately: a thief of a session cannot guess the password, and the person's own sign-ins are not delayed.
  const of = { emailHash: hash('sha256', `password of ${userId}`, 'base64url'), place: null };
  await checkPassword({ of, typed: current, stored: known.passwordHash, now: parts.now() }, parts);
  const passwordHash = await hashNew(next, parts.passwords);
  return change('ChangePassword', async ({ tx, id, now }) => {
    const locked = await account.people.lock(tx, userId);
    if (locked?.passwordHash !== known.passwordHash) throw new ApiError('WRONG_CREDENTIALS');
    const person = await account.people.setPassword(tx, userId, passwordHash);
    await account.sessions.end(tx, { userId }, now);
    const session = await account.sessions.insert(tx, { id, userId, ...made, now });
    await account.signIns.forget(tx, of);
    return { subject: userId, done: { session, person }, events: personsChanged(userId) };
  });
}

const PASSWORD = '/api/manage/password';
/** A code of a reset is valid for one day. */
const RESET_MS = 86_400_000;

/** Removes the password at once, without waiting for the new one: another person may know the old password. */
export const resetPassword = manageRoute('POST /api/manage/people/reset-password', {
  summary: 'Reset the password of a person and end their sessions; the code for a new password is shown only once',
  // With the code, the caller could sign in as the person. So no member of a team may reset a password.
  needs: 'operator',
  body: z.object({ email: emailText() }),
  reply: z.object({
    person: Person,
    code: code().describe('Can be used once, by this person only.'),
    url: z.url().describe('The page of the web app that uses the code. Send it to the person.'),
    curl: z.string().describe('The command that uses the code.'),
    expiresAt: z.iso.datetime(),
  }),
  errors: ['PERSON_NOT_FOUND'],
  async handle({ body: { email }, change }, { account, config }) {
    const { plaintext, hash: codeHash } = makeSecret();
    const { person, expiresAt } = await change('ResetPassword', async ({ tx, now }) => {
      const known = await account.people.findByEmail(email, tx);
      if (!known) throw new ApiError('PERSON_NOT_FOUND');
      const userId = known.person.id;
      const expiresAt = new Date(now.getTime() + RESET_MS);
      const person = await account.people.resetPassword(tx, userId, codeHash, expiresAt);
      await account.sessions.end(tx, { userId }, now);
      await tx.identity.deleteMany({ where: { userId } });
      // A passkey signs in alone, so it ends with the password. The authenticator app stays.
      await account.secondFactors.removePasskeys(tx, userId);
      return { subject: userId, done: { person, expiresAt }, events: personsChanged(userId) };
    });
    const url = `${config.PUBLIC_URL}/reset#${plaintext}`;
    const curl = curlPost(`${config.PUBLIC_URL}${PASSWORD}`, { code: plaintext, password: '…' });
    return { person, code: plaintext, url, curl, expiresAt: expiresAt.toISOString() };
  },
});

export const choosePassword = manageRoute(`POST ${PASSWORD}`, {
  summary:
    'Choose a password with the code of a reset, and sign in. A person with a second factor gets a second step instead',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ code: code(), password: passwordText() }),
  reply: z.object(enteredReply),
  errors: ['SIGN_IN_BUSY', 'CODE_UNKNOWN', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON'],
  async handle(call, parts) {
    const { code, password } = call.body;
    const { give, ...begun } = sessionOfBrowser(call, parts);
    const entered = await parts.signIns.run(null, call, () => choose(sha256(code), password, begun, parts));
    return 'step' in entered ? secondStepNeeded(entered) : { ...give(entered), secondStep: null };
  },
});

async function choose(codeHash: string, password: string, browser: NewSession, parts: ConsoleParts) {
  const { account } = parts;
  const now = parts.now();
  const known = await account.people.findByResetCode(codeHash, now);
  if (!known) throw new ApiError('CODE_UNKNOWN');
  const passwordHash = await hashNew(password, parts.passwords);
  const userId = known.person.id;
  const actor = { kind: 'person', userId, tokenId: null, address: browser.address } as const;
  const begun = await parts.change({ command: 'ChoosePassword', actor, now }, async (at) => {
    const { tx } = at;
    const locked = await account.people.lock(tx, userId);
    // If two requests use the code at once, only one succeeds.
    if (!locked || !(await account.people.findByResetCode(codeHash, now, tx))) throw new ApiError('CODE_UNKNOWN');
    // The code came by email, and nobody had confirmed that the email is of the person who made the account.
    if (locked.claimable) await endAccess(at, userId);
    await account.people.setPassword(tx, userId, passwordHash);
    const person = await account.people.confirm(tx, userId, now);
    await account.sessions.end(tx, { userId }, now);
    const factors = await account.secondFactors.find(userId, tx);
    if (factors && hasFactor(factors)) return { subject: userId, done: null, events: personsChanged(userId) };
    const { session, left } = await beginSession(at, browser, userId);
    return { subject: userId, done: { session, person }, events: personsChanged(userId, left) };
  });
  if (begun) return begun;
  const secondStep = await secondStepOf(userId, passwordHash, parts);
  if (!secondStep) throw new ApiError('CODE_UNKNOWN');
  return secondStep;
}
