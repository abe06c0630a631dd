import type { Handler } from '@landfall/bus';
import type { FindToken } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findToken(account: AccountRepository): Handler<typeof FindToken> {
  return async (batch) => {
    const found = await account.tokens.find(batch.map((message) => message.data.hash));
    return batch.map(({ data, context }) => {
      const token = found.get(data.hash);
      const live = token && (token.expiresAt === null || new Date(token.expiresAt) > context.now);
      return live ? { reply: token } : refuse('TOKEN_UNKNOWN');
    });
  };
}
