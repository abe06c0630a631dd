// Routes of a reset: the operator removes a password, and its person chooses another one with a code.
import { passwordText } from '@landfall/contracts';
import { ApiError, sha256 } from '@landfall/http';
import { z } from 'zod';
import { curlPost, makeSecret } from '../access/one-time.ts';
import { Person } from '../people/person-repository.ts';
import { code, emailText } from '../routes/manage-fields.ts';
import { type ConsoleParts, manageRoute } from '../routing/route.ts';
import {
  beginSession,
  type NewSession,
  personsChanged,
  sessionOfBrowser,
  signedInReply,
} from '../sessions/session-of-browser.ts';
import { hashNew } from './new-password.ts';

const PASSWORD = '/api/manage/password';
/** The time in which a person can use the code of a password reset: one day. */
const RESET_MS = 86_400_000;

/** Removes the password at once, without waiting for the new one: another person may know the old password. */
export const resetPassword = manageRoute({
  method: 'POST',
  path: '/api/manage/people/reset-password',
  name: 'resetPassword',
  summary: 'Reset the password of a person and end their sessions; the code for a new password is shown only once',
  // With the code, the caller could sign in as the person. So only the operator may reset a password, and no member of a
  // team.
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
      return { subject: userId, done: { person, expiresAt }, events: personsChanged(userId) };
    });
    const url = `${config.PUBLIC_URL}/reset#${plaintext}`;
    const curl = curlPost(`${config.PUBLIC_URL}${PASSWORD}`, { code: plaintext, password: '…' });
    return { person, code: plaintext, url, curl, expiresAt: expiresAt.toISOString() };
  },
});

export const choosePassword = manageRoute({
  method: 'POST',
  path: PASSWORD,
  name: 'choosePassword',
  summary: 'Choose a password with the code of a reset, and sign in',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ code: code(), password: passwordText() }),
  reply: z.object(signedInReply),
  errors: ['SIGN_IN_BUSY', 'CODE_UNKNOWN', 'PASSWORD_TOO_SHORT', 'PASSWORD_COMMON'],
  async handle(call, parts) {
    const { code, password } = call.body;
    const { give, ...begun } = sessionOfBrowser(call, parts);
    return give(await parts.signIns.run(null, call, () => choose(sha256(code), password, begun, parts)));
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
  return parts.change({ command: 'ChoosePassword', actor, now }, async ({ tx, id }) => {
    await account.people.lock(tx, userId);
    // If two requests use the code at once, only one succeeds.
    if (!(await account.people.findByResetCode(codeHash, now, tx))) throw new ApiError('CODE_UNKNOWN');
    await account.people.setPassword(tx, userId, passwordHash);
    const person = await account.people.confirm(tx, userId, now);
    await account.sessions.end(tx, { userId }, now);
    const { session, left } = await beginSession(account, tx, browser, { id, userId, now });
    return { subject: userId, done: { session, person }, events: personsChanged(userId, left) };
  });
}
