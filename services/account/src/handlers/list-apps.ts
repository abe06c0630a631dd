import type { One } from '@landfall/bus';
import { type ListApps, nextCursor, readCursor } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function listApps(account: AccountRepository): One<typeof ListApps> {
  return async ({ limit, cursor, ...of }) => {
    const apps = await account.apps.list(of, limit, readCursor(cursor));
    return { reply: { apps, next: nextCursor(apps, limit, (app) => app.createdAt) } };
  };
}
