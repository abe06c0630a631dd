// What follows from figures: rates, changes and times. The pages of the app and of a share say the same.

/** Of two figures of one way, the second one for each of the first. */
export const RATES: Readonly<Record<string, readonly [number, number]>> = {
  'clicks attributedInstalls': [1, 0],
  'attributedInstalls clicks': [0, 1],
  'restores clicks': [0, 1],
  'storeRedirects clicks': [0, 1],
};

export interface Compared {
  now: number | null;
  before: number | null | undefined;
  /** False: the days before lack events, and a change would be made up. */
  complete?: boolean;
}

/** Returns the change against the days before as a part of them; `new` when there was nothing. Null: none is known. */
export function changeOf({ now, before, complete = true }: Compared): number | 'new' | null {
  if (!complete || now === null || before === null || before === undefined || (before === 0 && now === 0)) return null;
  return before === 0 ? 'new' : (now - before) / before;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Says seconds in the largest unit that is not zero, such as 3 min. */
export function durationOf(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
  return `${Math.round(seconds / length)} ${unit}`;
}
