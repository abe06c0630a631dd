// Locks the app of a change, if the caller may change it.
import type { App, Role } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { AccountRepository } from '../account-repository.ts';
import type { Changing } from '../changes/change.ts';
import { has } from '../domain/rights.ts';

/**
 * Reads the caller's role again, inside the transaction: it may have changed since the request was authorised.
 * @throws ApiError APP_NOT_FOUND without a role in the app's team, FORBIDDEN with a lower one
 */
export async function lockApp(
  account: AccountRepository,
  { tx, actor, now }: Changing,
  appId: string,
  needed: Role,
): Promise<App> {
  const app = await account.apps.lock(tx, appId);
  const role = app && (await account.teams.roleOf(tx, actor, app.teamId, now));
  if (!app || !role) throw new ApiError('APP_NOT_FOUND');
  if (!has(role, needed)) throw new ApiError('FORBIDDEN');
  return app;
}
