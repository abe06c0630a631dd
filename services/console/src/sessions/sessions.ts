// Routes of a person's sessions.
import { told } from '@landfall/bus';
import { PersonChanged } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import type { Session as Caller } from '../access/principal.ts';
import { id } from '../routes/manage-fields.ts';
import { type ConsoleParts, type ManageCall, manageRoute } from '../routing/route.ts';
import { sessionView } from './session-repository.ts';

const person = { needs: 'person' } as const;

export const listSessions = manageRoute({
  ...person,
  method: 'GET',
  path: '/api/manage/me/sessions',
  name: 'listSessions',
  summary: 'List your sessions, the last used first',
  reply: z.object({ sessions: z.array(sessionView) }),
  async handle({ caller: { userId, sessionId } }, { account, now }) {
    const sessions = await account.sessions.list(userId, now());
    return { sessions: sessions.map((one) => ({ ...one, current: one.id === sessionId })) };
  },
});

export const endSession = manageRoute({
  ...person,
  method: 'DELETE',
  path: '/api/manage/me/sessions/:sessionId',
  name: 'endSession',
  summary: 'End one of your sessions',
  params: z.object({ sessionId: id() }),
  reply: z.object({ ended: z.int() }),
  errors: ['SESSION_NOT_FOUND'],
  handle: (call, parts) => endSessions(call, { only: call.params.sessionId }, parts),
});

export const endOtherSessions = manageRoute({
  ...person,
  method: 'DELETE',
  path: '/api/manage/me/sessions',
  name: 'endOtherSessions',
  summary: 'End all your sessions except this one',
  reply: z.object({ ended: z.int() }),
  handle: (call, parts) => endSessions(call, { except: call.caller.sessionId }, parts),
});

/**
 * Ends one session of the caller, or all but one.
 * @throws ApiError SESSION_NOT_FOUND when the one is not a live session of the caller
 */
export function endSessions(
  { caller: { userId }, change }: Pick<ManageCall<'person', unknown, unknown, unknown>, 'change'> & { caller: Caller },
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
