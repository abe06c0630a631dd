import { type ListApps, nextCursor, readCursor } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import type { One } from './one.ts';

export function listApps(account: AccountRepository): One<typeof ListApps> {
  return async ({ limit, cursor }) => {
    const apps = await account.listApps(limit, readCursor(cursor));
    return { reply: { apps, next: nextCursor(apps, limit, (app) => app.createdAt) } };
  };
}
