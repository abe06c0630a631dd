// The rights of an actor inside the transaction of a change: they may have changed since the request was authorised.
import { type App, atLeast, type Role } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { Changing } from '../changes/change.ts';

/** False for tokens, also for those of an instance owner. */
export async function isInstanceOwner({ tx, account, actor: { kind, userId } }: Changing): Promise<boolean> {
  if (kind === 'operator') return true;
  if (kind === 'token' || userId === null) return false;
  return (await account.people.find(userId, tx))?.person.instanceOwner === true;
}

/** @throws ApiError APP_NOT_FOUND without a role in the app's team, FORBIDDEN with a lower one */
export async function lockApp({ tx, account, actor, now }: Changing, appId: string, needed: Role): Promise<App> {
  const app = await account.apps.lock(tx, appId);
  const role = app && (await account.teams.roleOf(tx, actor, app.teamId, now));
  if (!app || !role) throw new ApiError('APP_NOT_FOUND');
  if (!atLeast(role, needed)) throw new ApiError('FORBIDDEN');
  return app;
}
