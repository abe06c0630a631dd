import type { Listener } from '@landfall/bus';
import type { KeyUsed } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';

export function noteKeyUsed(account: AccountRepository): Listener<typeof KeyUsed> {
  return (batch) => account.noteKeysUsed(batch.map(({ data, context }) => ({ keyId: data.keyId, at: context.now })));
}
