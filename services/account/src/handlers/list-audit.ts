import type { One } from '@landfall/bus';
import { type ListAudit, nextCursor, readCursor } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listAudit(account: AccountRepository): One<typeof ListAudit> {
  return async ({ limit, cursor, ...of }) => {
    const entries = await account.audit.list(of, limit, readCursor(cursor));
    return { reply: { entries, next: nextCursor(entries, limit, (entry) => entry.at) } };
  };
}
