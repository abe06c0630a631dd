// Loads and locks the app of a command, if the caller may change it.

import type { Actor, App, Role } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import { has } from '../domain/rights.ts';
import { type Refused, refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

/** Locks the app. Refuses with APP_NOT_FOUND if the caller has no role in the app's team. */
export async function lockedApp(
  account: AccountRepository,
  tx: PrismaTransaction,
  { appId, actor, needed, now }: { appId: string; actor: Actor; needed: Role; now: Date },
): Promise<{ app: App } | Refused<'APP_NOT_FOUND' | 'FORBIDDEN'>> {
  const app = await account.apps.lock(tx, appId);
  if (!app) return refuse('APP_NOT_FOUND');
  const role = await account.teams.roleOf(tx, actor, app.teamId, now);
  if (role === null) return refuse('APP_NOT_FOUND');
  return has(role, needed) ? { app } : refuse('FORBIDDEN');
}
