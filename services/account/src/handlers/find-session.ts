import type { Handler } from '@landfall/bus';
import type { FindSession } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findSession(account: AccountRepository): Handler<typeof FindSession> {
  return async (batch) => {
    const found = await account.sessions.find(batch.map((message) => message.data.hash));
    return batch.map(({ data, context }) => {
      const session = found.get(data.hash);
      const now = context.now.toISOString();
      const live = session && session.idleUntil > now && session.endsAt > now;
      return live ? { reply: session } : refuse('SESSION_UNKNOWN');
    });
  };
}
