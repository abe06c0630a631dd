import type { Handler } from '@landfall/bus';
import type { FindToken } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';

export function findToken(account: AccountRepository): Handler<typeof FindToken> {
  return async (batch) => {
    const found = await account.findTokens(batch.map((message) => message.data.hash));
    return batch.map((message) => {
      const tokenId = found.get(message.data.hash);
      return tokenId ? { reply: { tokenId } } : { refusal: { code: 'TOKEN_UNKNOWN', facts: {} } };
    });
  };
}
