// Stores when keys, tokens and sessions were last used, and how often keys were used.
import type { Listener } from '@landfall/bus';
import type { KeyUsed, SessionUsed, TokenUsed } from '@landfall/contracts';
import { liveSince } from '../domain/session.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

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

export function noteTokenUsed(account: AccountRepository): Listener<typeof TokenUsed> {
  return (batch) => account.tokens.noteUsed(batch.map(({ data, context }) => ({ id: data.tokenId, at: context.now })));
}

export function noteSessionUsed(account: AccountRepository): Listener<typeof SessionUsed> {
  return (batch) =>
    account.sessions.noteUsed(
      batch.map(({ data, context: { now } }) => ({ id: data.sessionId, at: now, liveSince: liveSince(now) })),
    );
}
