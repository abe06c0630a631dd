import type { Listener } from '@landfall/bus';
import type { TokenUsed } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';

export function noteTokenUsed(account: AccountRepository): Listener<typeof TokenUsed> {
  return (batch) => account.tokens.noteUsed(batch.map(({ data, context }) => ({ id: data.tokenId, at: context.now })));
}
