// Tells whether the caller is above all teams.

import type { Actor } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import type { AccountRepository } from '../repositories/account-repository.ts';

/** The operator, or an owner of the instance in person: none of their tokens. */
export async function isInstanceOwner(
  account: AccountRepository,
  tx: PrismaTransaction,
  { kind, userId }: Actor,
): Promise<boolean> {
  if (kind === 'operator') return true;
  if (kind === 'token' || userId === null) return false;
  return (await account.people.find(userId, tx))?.person.instanceOwner === true;
}
