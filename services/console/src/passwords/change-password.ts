// The route with which people change their password.
import { hash } from 'node:crypto';
import { passwordText } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { knownPassword } from '../routes/manage-fields.ts';
import { type ConsoleParts, type ManageCall, manageRoute } from '../routing/route.ts';
import { type NewSession, personsChanged, sessionOfBrowser, signedInReply } from '../sessions/session-of-browser.ts';
import { checkPassword } from './check-password.ts';
import { hashNew } from './new-password.ts';

const body = z.object({ current: knownPassword(), next: passwordText() });

export const changePassword = manageRoute({
  method: 'POST',
  path: '/api/manage/me/password',
  name: 'changePassword',
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
  // Failures here are counted separately. A thief of a session cannot guess the password, and the person's own
  // sign-ins are not delayed.
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
