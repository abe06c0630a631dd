import type { One } from '@landfall/bus';
import type { ListSessions } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listSessions(account: AccountRepository): One<typeof ListSessions> {
  return async ({ userId }, { now }) => ({ reply: { sessions: await account.sessions.list(userId, now) } });
}
