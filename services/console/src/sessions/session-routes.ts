import { told } from '@landfall/bus';
import { PersonChanged } from '@landfall/contracts';
import { ApiError, sha256 } from '@landfall/http';
import { z } from 'zod';
import type { ConsoleParts } from '../parts.ts';
import { checkPassword } from '../passwords/check-password.ts';
import { emailText, knownPassword } from '../routes/manage-fields.ts';
import { type ManageCall, manageRoute } from '../routing/route.ts';
import { enteredReply, secondStepNeeded, secondStepOf } from '../second-factor/second-step.ts';
import { beginSession, knownBrowser, type NewSession, personsChanged, sessionOfBrowser } from './session-of-browser.ts';
import { sessionView } from './session-repository.ts';
import { placeOf } from './sign-in-delays.ts';

export const signIn = manageRoute('POST /api/manage/session', {
  summary: 'Sign in; the session is in a cookie. A person with a second factor gets a second step instead',
  needs: 'anyone',
  limit: 'sign-in',
  body: z.object({ email: emailText(), password: knownPassword() }),
  reply: z.object(enteredReply),
  errors: ['WRONG_CREDENTIALS', 'SIGN_IN_DELAYED', 'SIGN_IN_BUSY'],
  async handle(call, parts) {
    const { email, password } = call.body;
    const { give, ...begun } = sessionOfBrowser(call, parts);
    const device = parts.cookies.device(call.headers);
    const typed = { email, password, deviceHash: device && sha256(device.id) };
    const known = knownBrowser(call.headers, email, parts);
    const entered = await parts.signIns.run(known, call, () => enter(typed, begun, parts));
    return 'step' in entered ? secondStepNeeded(entered) : { ...give(entered), secondStep: null };
  },
});

/** An unknown email gets the same answer as a wrong password, after the same time. */
async function enter(
  { email, password, deviceHash }: { email: string; password: string; deviceHash: string | null },
  browser: NewSession,
  parts: ConsoleParts,
) {
  const { account, hashes } = parts;
  const { address } = browser;
  const now = parts.now();
  const known = await account.people.findByEmail(email);
  const places = await account.signIns.knownPlaces(known?.person.id ?? NOBODY, [deviceHash, address], now);
  const of = { emailHash: hashes.email(email), place: placeOf({ deviceHash, address }, places) };
  await checkPassword({ of, typed: password, stored: known?.passwordHash ?? null, now }, parts);
  if (!known) throw new ApiError('WRONG_CREDENTIALS');

  const { person, passwordHash } = known;
  const userId = person.id;
  const secondStep = await secondStepOf(userId, passwordHash!, parts);
  if (secondStep) return secondStep;
  const actor = { kind: 'person', userId, tokenId: null, address } as const;
  return parts.change({ command: 'SignIn', actor, now }, async (at) => {
    const { tx, id } = at;
    // The password has changed since the check, so the given one is now wrong.
    if ((await account.people.lock(tx, userId))?.passwordHash !== passwordHash) throw new ApiError('WRONG_CREDENTIALS');
    const { session, left } = await beginSession(at, browser, userId);
    await account.signIns.forget(tx, of);
    return { subject: id, done: { session, person }, events: personsChanged(left) };
  });
}

/** For an unknown email. The look-up of places runs anyway, so that the time does not show whether it exists. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export const signOut = manageRoute('DELETE /api/manage/session', {
  summary: 'Sign out; this session ends',
  needs: 'person',
  reply: z.object({}),
  async handle(call, parts) {
    await endSessions(call, { only: call.caller.sessionId }, parts).catch(unlessEnded);
    call.setHeader('Set-Cookie', parts.cookies.takeSession());
    return {};
  },
});

/** A session that has already ended is no error. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'SESSION_NOT_FOUND')) throw error;
}

export const listSessions = manageRoute('GET /api/manage/me/sessions', {
  summary: 'List your sessions, the last used first',
  needs: 'person',
  reply: z.object({ sessions: z.array(sessionView) }),
  async handle({ caller: { userId, sessionId } }, { account, now }) {
    const sessions = await account.sessions.list(userId, now());
    return { sessions: sessions.map((one) => ({ ...one, current: one.id === sessionId })) };
  },
});

export const endSession = manageRoute('DELETE /api/manage/me/sessions/:sessionId', {
  summary: 'End one of your sessions',
  needs: 'person',
  reply: z.object({ ended: z.int() }),
  errors: ['SESSION_NOT_FOUND'],
  handle: (call, parts) => endSessions(call, { only: call.params.sessionId }, parts),
});

export const endOtherSessions = manageRoute('DELETE /api/manage/me/sessions', {
  summary: 'End all your sessions except this one',
  needs: 'person',
  reply: z.object({ ended: z.int() }),
  handle: (call, parts) => endSessions(call, { except: call.caller.sessionId }, parts),
});

/** @throws ApiError SESSION_NOT_FOUND when `only` is not a live session of the caller */
function endSessions(
  { caller: { userId }, change }: Pick<ManageCall<'person', unknown, unknown, unknown>, 'caller' | 'change'>,
  which: { only: string } | { except: string },
  { account }: ConsoleParts,
): Promise<{ ended: number }> {
  return change('EndSessions', async ({ tx, now }) => {
    const ended = await account.sessions.end(tx, { userId, ...which }, now);
    if ('only' in which && ended.length === 0) throw new ApiError('SESSION_NOT_FOUND');
    const events = [told(PersonChanged, { userId })];
    return { subject: userId, before: { sessions: ended }, done: { ended: ended.length }, events };
  });
}
