// Adds an SDK key to an app, for a route or a program.
import { told } from '@landfall/bus';
import { type Key, KeyChanged } from '@landfall/contracts';
import type { Made } from '../access/one-time.ts';
import type { AccountRepository } from '../account-repository.ts';
import type { Change, Changing } from '../changes/change.ts';
import { lockApp } from '../common/lock-app.ts';

/** @throws ApiError APP_NOT_FOUND, or FORBIDDEN if the caller may not */
export async function addKey(
  account: AccountRepository,
  at: Changing,
  { plaintext: _, ...wanted }: Pick<Key, 'id' | 'appId' | 'kind' | 'label' | 'hint'> & Made,
): Promise<Change<Key>> {
  const { id, appId, kind, label, hash } = wanted;
  const { teamId } = await lockApp(account, at, appId, 'admin');
  const key = await account.keys.insert(at.tx, { ...wanted, now: at.now });
  const events = [told(KeyChanged, { appId, keyId: id, hash, revoked: false, expiresAt: null })];
  return { subject: id, teamId, appId, after: { kind, label }, done: key, events };
}
