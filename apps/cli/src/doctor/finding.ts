// A finding of a check of `landfall doctor`.

/** `skipped`: it could not be looked at, and `says` has the reason. */
export type State = 'ok' | 'warn' | 'fail' | 'skipped';

export interface Finding {
  /** The check's name: the same line has the same one in every run. */
  check: string;
  state: State;
  /** One sentence. */
  says: string;
  /** The remedy. */
  remedy?: string;
  /** Numbers and names behind it, for programs. */
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

/** The first few, and how many there are besides. */
export function some(names: readonly string[], max = 3): string {
  const left = names.length - max;
  return left > 0 ? `${names.slice(0, max).join(', ')} and ${left} more` : names.join(', ');
}

export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** The message of an error in one line. A refused connection to several addresses of one name has its message inside. */
export function reasonOf(error: unknown): string {
  const { message, errors, code } = error as AggregateError & { code?: string };
  return (message || errors?.[0]?.message || code || String(error)).replace(/\s+/g, ' ').replace(/\.$/, '');
}
