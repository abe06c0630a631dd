// The secrets that handlers need.
import type { Sealer } from '@landfall/runtime';
import { refusePassword } from './passwords/common-passwords.ts';
import type { Passwords } from './passwords/passwords.ts';
import { type Refused, refuse } from './refuse.ts';

export interface Secrets {
  readonly sealer: Sealer;
  readonly passwords: Passwords;
}

/**
 * Returns the hash of a new password, or the reason to refuse the password.
 * @param sealed the password as the person typed it, sealed
 */
export async function settable(
  { sealer, passwords }: Secrets,
  sealed: string,
): Promise<{ passwordHash: string } | Refused<'PASSWORD_TOO_SHORT' | 'PASSWORD_COMMON'>> {
  const typed = sealer.open('password', sealed);
  const refused = await refusePassword(typed);
  return refused ? refuse(refused) : { passwordHash: await passwords.hash(typed) };
}
