import { type One, type Outcome, told } from '@landfall/bus';
import { type EndSessions, PersonChanged } from '@landfall/contracts';
import { isThemselves } from '../common/themselves.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function endSessions(account: AccountRepository): One<typeof EndSessions> {
  return async ({ actor, userId, sessionId, except }, context): Promise<Outcome<typeof EndSessions>> => {
    const change = await account.change({ command: 'EndSessions', actor, context }, async (tx) => {
      if (!isThemselves(actor, userId)) return refuse('SESSION_NOT_FOUND');
      const ended = await account.sessions.end(tx, { userId, only: sessionId, except }, context.now);
      if (sessionId !== null && ended.length === 0) return refuse('SESSION_NOT_FOUND');
      return { subject: userId, before: { sessions: ended }, done: { ended: ended.length } };
    });
    if ('refusal' in change) return change;
    return { reply: change.done, events: [told(PersonChanged, { userId })] };
  };
}
