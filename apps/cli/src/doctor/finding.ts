// A finding of a check of `landfall doctor`.
import { reasonOf as messageOf } from '@landfall/runtime';

/** `skipped`: the check could not run, and `says` has the reason. */
export type State = 'ok' | 'warn' | 'fail' | 'skipped';

export interface Finding {
  /** The name of the check. It is the same in every run. */
  check: string;
  state: State;
  /** The finding in one sentence. */
  says: string;
  /** The remedy. */
  remedy?: string;
  /** The numbers and names behind the finding, for programs. */
  facts?: object;
}

export const ok = (check: string, says: string, facts?: object): Finding =>
  finding('ok', check, says, undefined, facts);
export const warn = (check: string, says: string, remedy: string, facts?: object): Finding =>
  finding('warn', check, says, remedy, facts);
export const fail = (check: string, says: string, remedy: string, facts?: object): Finding =>
  finding('fail', check, says, remedy, facts);
export const skipped = (check: string, says: string, remedy?: string, facts?: object): Finding =>
  finding('skipped', check, says, remedy, facts);

const finding = (state: State, check: string, says: string, remedy?: string, facts?: object): Finding => ({
  check,
  state,
  says,
  ...(remedy !== undefined && { remedy }),
  ...(facts !== undefined && { facts }),
});

/** Returns the first `max` names, and the number of the other names. */
export function some(names: readonly string[], max = 3): string {
  const left = names.length - max;
  return left > 0 ? `${names.slice(0, max).join(', ')} and ${left} more` : names.join(', ');
}

export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** Returns the message of an error in one line, without its full stop. */
export const reasonOf = (error: unknown): string => messageOf(error).replace(/\s+/g, ' ').replace(/\.$/, '');
