import { isLongEnough } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { Passwords } from './passwords.ts';

/** The common passwords that are long enough to be allowed. Loaded on the first use. */
let common: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(isLongEnough));
}

/** Returns the reason to refuse a password. Null: it is allowed. */
export async function refusePassword(typed: string): Promise<'PASSWORD_TOO_SHORT' | 'PASSWORD_COMMON' | null> {
  if (!isLongEnough(typed)) return 'PASSWORD_TOO_SHORT';
  common ??= load();
  return (await common).has(typed.normalize('NFKC').toLowerCase()) ? 'PASSWORD_COMMON' : null;
}

/** @throws ApiError PASSWORD_TOO_SHORT or PASSWORD_COMMON */
export async function hashNew(typed: string, passwords: Passwords): Promise<string> {
  const refused = await refusePassword(typed);
  if (refused) throw new ApiError(refused);
  return passwords.hash(typed);
}
