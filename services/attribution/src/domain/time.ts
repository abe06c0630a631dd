// Time spans in milliseconds, and as words for people.

export const seconds = (n: number): number => n * 1_000;
export const minutes = (n: number): number => n * 60_000;
export const hours = (n: number): number => n * 3_600_000;
export const days = (n: number): number => n * 86_400_000;

/** Returns the milliseconds since `at`. Negative when `at` is in the future. */
export const since = (at: Date, now: Date): number => now.getTime() - at.getTime();

export const before = (now: Date, span: number): Date => new Date(now.getTime() - span);

export const earlier = (a: Date, b: Date): Date => (a <= b ? a : b);

export const later = (a: Date | null, b: Date): Date => (a !== null && a >= b ? a : b);

const units: readonly [string, number][] = [
  ['day', days(1)],
  ['hour', hours(1)],
  ['minute', minutes(1)],
  ['second', seconds(1)],
];

/** Returns for example `3 minutes earlier`: earlier than the decision, whenever it is read. */
export const earlierBy = (at: Date, now: Date): string =>
  since(at, now) < seconds(1) ? 'in the same second' : `${lasting(since(at, now))} earlier`;

/** Returns for example `3 minutes`: the largest unit that fits, rounded down. */
export function lasting(span: number): string {
  const [unit, length] = units.find(([, length]) => span >= length) ?? ['second', seconds(1)];
  return counted(Math.floor(span / length), unit);
}

/** Returns for example `1 link` or `2 links`. */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

export const people = (n: number): string => (n === 1 ? '1 person' : `${n} people`);
