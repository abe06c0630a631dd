// Decides whether a person may have a password, and hashes it.
import { ApiError } from '@landfall/http';
import { refusePassword } from './common-passwords.ts';
import type { Passwords } from './passwords.ts';

/**
 * Returns the hash of a new password.
 * @throws ApiError PASSWORD_TOO_SHORT or PASSWORD_COMMON
 */
export async function hashNew(typed: string, { passwords }: { passwords: Passwords }): Promise<string> {
  const refused = await refusePassword(typed);
  if (refused) throw new ApiError(refused);
  return passwords.hash(typed);
}
