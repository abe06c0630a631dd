// A password that somebody gives, held against the one that is stored: every failure makes the next attempts wait longer.
import type { Context } from '@landfall/bus';
import { afterFailure, waitMs } from '../domain/sign-in.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import type { Guessed } from '../repositories/sign-in-repository.ts';
import type { Passwords } from './passwords.ts';

export interface Attempt {
  /** The failures that count. */
  of: Guessed;
  typed: string;
  /** Null takes as long, and is always wrong. */
  stored: string | null;
}

export type Checked = { right: true } | { right: false; waitSeconds: number };

/** A delay that is over before anybody could ask again. */
const AT_ONCE = 1;

/** The delay in seconds: then the password was not checked. 0: the password was wrong. */
export async function checkPassword(
  account: AccountRepository,
  passwords: Passwords,
  { of, typed, stored }: Attempt,
  { id, now, expired }: Context,
): Promise<Checked> {
  const before = await account.signIns.failures(of);
  if (before?.messages.includes(id)) return wrong(0);
  if (waitMs(before, now) > 0) return wrong(waitMs(before, now));
  // When many sign in at once, those who have gone must not keep the others waiting.
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
