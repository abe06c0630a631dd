import { cursorAfter, type ListApps, readCursor } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';
import type { One } from './one.ts';

export function listApps(account: AccountRepository): One<typeof ListApps> {
  return async ({ limit, cursor }) => {
    const apps = await account.listApps(limit, readCursor(cursor));
    const last = apps.at(-1);
    const next = last && apps.length === limit ? cursorAfter({ at: new Date(last.createdAt), id: last.id }) : null;
    return { reply: { apps, next } };
  };
}
