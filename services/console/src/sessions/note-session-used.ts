import type { Listener } from '@landfall/bus';
import type { SessionUsed } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import { liveSince } from './session-times.ts';

export function noteSessionUsed(account: AccountRepository): Listener<typeof SessionUsed> {
  return (batch) =>
    account.sessions.noteUsed(
      batch.map(({ data, context: { now } }) => ({ id: data.sessionId, at: now, liveSince: liveSince(now) })),
    );
}
