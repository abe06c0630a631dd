// Stores when keys were last used, and how often.
import type { Listener } from '@landfall/bus';
import type { KeyUsed } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';

export function noteKeyUsed(account: AccountRepository): Listener<typeof KeyUsed> {
  return async (batch) => {
    const uses = batch.map(({ data: { keyId, requests = 1 }, context }) => ({
      messageId: context.id,
      id: keyId,
      at: context.now,
      requests,
    }));
    await account.keys.noteUsed(uses);
    await account.keys.countUses(uses);
  };
}
