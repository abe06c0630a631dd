// Decides whether the caller has rights above all teams.

import type { Actor } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import type { AccountRepository } from '../account-repository.ts';

/**
 * Returns true for the operator, and for an instance owner who acts in person. Returns false for tokens, also for those
 * of an instance owner.
 */
export async function isInstanceOwner(
  account: AccountRepository,
  tx: PrismaTransaction,
  { kind, userId }: Actor,
): Promise<boolean> {
  if (kind === 'operator') return true;
  if (kind === 'token' || userId === null) return false;
  return (await account.people.find(userId, tx))?.person.instanceOwner === true;
}
