// Passwords that nobody may have: too short, or among those that everybody tries first.
import { isLongEnough } from '@landfall/contracts';

/** Those of the list that are long enough to be given at all. Loaded when the first password is set. */
let common: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(isLongEnough));
}

/** Returns the reason against a password; null when there is none. */
export async function refusePassword(typed: string): Promise<'PASSWORD_TOO_SHORT' | 'PASSWORD_COMMON' | null> {
  if (!isLongEnough(typed)) return 'PASSWORD_TOO_SHORT';
  common ??= load();
  return (await common).has(typed.normalize('NFKC').toLowerCase()) ? 'PASSWORD_COMMON' : null;
}
