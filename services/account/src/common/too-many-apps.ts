// Returns whether a locked team has as many apps as it may have.

import type { Actor } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import type { Rules } from '../domain/rules.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import { isInstanceOwner } from './instance-owner.ts';

/** No team has too many for owners of the installation and the operator. */
export async function hasTooManyApps(
  account: AccountRepository,
  tx: PrismaTransaction,
  { teamId, actor, rules }: { teamId: string | null; actor: Actor; rules: Rules },
): Promise<boolean> {
  if (teamId === null || (await account.apps.countOf(tx, teamId)) < rules.appsPerTeam) return false;
  return !(await isInstanceOwner(account, tx, actor));
}
