// Decides whether a locked team has reached its maximum number of apps.

import type { Actor } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import type { Rules } from '../domain/rules.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import { isInstanceOwner } from './instance-owner.ts';

/** Returns true if the team may have no more apps. Always false for instance owners and the operator. */
export async function hasTooManyApps(
  account: AccountRepository,
  tx: PrismaTransaction,
  { teamId, actor, rules }: { teamId: string | null; actor: Actor; rules: Rules },
): Promise<boolean> {
  if (teamId === null || (await account.apps.countOf(tx, teamId)) < rules.appsPerTeam) return false;
  return !(await isInstanceOwner(account, tx, actor));
}
