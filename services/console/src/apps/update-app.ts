// Changes an app: its name, its hosts, its settings and its plan. Archives it or restores it.
import type { App, Plan } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { AccountRepository } from '../account-repository.ts';
import type { Change, Changing } from '../changes/change.ts';
import { isInstanceOwner } from '../common/instance-owner.ts';
import { hasLasting } from '../identity/rotation.ts';
import type { ConsoleParts } from '../routing/route.ts';
import { changedApp } from './changed-app.ts';
import { applyChange, type SettingsChange } from './settings.ts';
import { isReserved } from './subdomain.ts';

/** A field that is undefined does not change. */
export interface WantedChange {
  name: string | undefined;
  subdomain: string | undefined;
  primaryDomain: string | null | undefined;
  archived: boolean | undefined;
  settings: SettingsChange;
}

type Parts = Pick<ConsoleParts, 'account' | 'rules'>;

/**
 * @param before the locked app
 * @throws ApiError with the reason why the app cannot be changed in this way
 */
export async function changeApp(
  parts: Parts,
  at: Changing,
  before: App,
  { subdomain = before.subdomain, settings: change, ...wanted }: WantedChange,
): Promise<Change<App>> {
  const { account } = parts;
  const { tx, now } = at;
  if (subdomain !== before.subdomain) await assertMayTake(parts, at, before.id, subdomain);
  const { name = before.name, primaryDomain = before.primaryDomain, archived = before.archivedAt !== null } = wanted;
  if (primaryDomain !== null && !before.domains.includes(primaryDomain)) throw new ApiError('DOMAIN_NOT_VERIFIED');
  const archivedAt = archived ? (before.archivedAt ?? now.toISOString()) : null;
  const settings = applyChange(before, change);
  if (settings.identity !== 'off' && before.identity === 'off') {
    if (!hasLasting((await account.apps.identitySecrets(before.id, tx)) ?? []))
      throw new ApiError('IDENTITY_SECRET_NEEDED');
  }
  const after = { name, subdomain, primaryDomain, archivedAt, settings };
  return changedApp(account, tx, before, await account.apps.update(tx, before, after, now));
}

async function assertMayTake(
  { account, rules }: Parts,
  { tx, actor }: Changing,
  appId: string,
  subdomain: string,
): Promise<void> {
  if (isReserved(subdomain)) throw new ApiError('SUBDOMAIN_RESERVED');
  const owner = await account.apps.hostOwner(tx, subdomain);
  // Only the app itself may take back a name that it gave up.
  if (owner && owner !== appId) throw new ApiError('SUBDOMAIN_TAKEN');
  const isFull = !owner && (await account.apps.countFormer(tx, appId)) >= rules.formerSubdomains;
  if (isFull && !(await isInstanceOwner(account, tx, actor))) throw new ApiError('TOO_MANY_SUBDOMAINS');
}

export async function changePlan(
  account: AccountRepository,
  { tx, actor }: Changing,
  appId: string,
  plan: Plan,
): Promise<Change<App>> {
  const before = await account.apps.lock(tx, appId);
  if (!before) throw new ApiError('APP_NOT_FOUND');
  if (!(await isInstanceOwner(account, tx, actor))) throw new ApiError('FORBIDDEN');
  return changedApp(account, tx, before, await account.apps.setPlan(tx, appId, plan));
}
