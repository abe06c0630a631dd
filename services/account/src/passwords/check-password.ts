// Checks a given password against the stored one. Every failure makes the delay for the next attempts longer.
import type { Context } from '@landfall/bus';
import { afterFailure, waitMs } from '../domain/sign-in.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import type { Guessed } from '../repositories/sign-in-repository.ts';
import type { Passwords } from './passwords.ts';

export interface Attempt {
  /** Identifies the failures that count for this attempt. */
  of: Guessed;
  typed: string;
  /** The stored hash. Null: the check takes the same time and always fails. */
  stored: string | null;
}

export type Checked = { right: true } | { right: false; waitSeconds: number };

/** A delay in milliseconds that ends before the client can retry. */
const AT_ONCE = 1;

/**
 * Checks a password. `waitSeconds` above 0: the delay in seconds, and the password was not checked. 0: the password was
 * wrong.
 */
export async function checkPassword(
  account: AccountRepository,
  passwords: Passwords,
  { of, typed, stored }: Attempt,
  { id, now, expired }: Context,
): Promise<Checked> {
  const before = await account.signIns.failures(of);
  if (before?.messages.includes(id)) return wrong(0);
  if (waitMs(before, now) > 0) return wrong(waitMs(before, now));
  // When many people sign in at once, requests whose callers have timed out must not delay the others.
  if (expired()) return wrong(AT_ONCE);
  if (await passwords.verify(typed, stored)) return { right: true };
  return account.transaction(async (tx) => {
    await account.signIns.lock(tx, of);
    const meanwhile = await account.signIns.failures(of, tx);
    if (meanwhile?.messages.includes(id)) return wrong(0);
    if (waitMs(meanwhile, now) > 0) return wrong(waitMs(meanwhile, now));
    await account.signIns.count(tx, of, afterFailure(meanwhile, id, now));
    return wrong(0);
  });
}

const wrong = (ms: number): Checked => ({ right: false, waitSeconds: Math.ceil(ms / 1_000) });
