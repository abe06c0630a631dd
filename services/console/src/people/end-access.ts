import type { Changing } from '../changes/change.ts';

/** Ends everything by which the person who made an account could use it, when its email turns out to be another's. */
export async function endAccess({ tx, account, now }: Changing, userId: string): Promise<void> {
  await account.sessions.end(tx, { userId }, now);
  await account.tokens.revokeAll(tx, { userId }, now);
  await account.secondFactors.removeAll(tx, userId);
  await tx.knownPlace.deleteMany({ where: { userId } });
}
