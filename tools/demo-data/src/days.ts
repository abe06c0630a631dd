// The options of the demo data, the days that they name on the clock of the app's zone, and the hours at which people are awake.

export interface DemoOptions {
  readonly appId: string;
  /** The end, exclusive. Nothing happens later. */
  readonly until: Date;
  /** The number of days, the day of `until` among them. At least 1. */
  readonly days?: number;
  /** The number of taps. Everything else grows with it, except the number of links. */
  readonly clicks?: number;
  readonly seed?: number;
  /** The zone of the app, e.g. `Asia/Kathmandu`. Weekends and nights are those of this zone. */
  readonly timeZone?: string;
}

export type Range = ReturnType<typeof rangeOf>;

/** Reads options. Throws a RangeError for a number, time or zone that makes no sense. */
export function rangeOf(options: DemoOptions) {
  const { appId, until, days = 90, clicks = 60_000, seed = 1, timeZone = 'UTC' } = options;
  if (!Number.isInteger(days) || days < 1) throw new RangeError('days must be a whole number from 1 on');
  if (!Number.isInteger(clicks) || clicks < 0) throw new RangeError('clicks must be a whole number from 0 on');
  // Ids come from the key, so two ranges never share an id.
  const key = [appId, until.toISOString(), days, clicks, seed, timeZone].join(' ');
  return { appId, days: daysUpTo(until, days, timeZone), clicks, key };
}

const DAY_MS = 86_400_000;

export type Day = ReturnType<typeof daysUpTo>[number];

/** People for each hour from midnight on. On weekends they get up later. */
const WORKDAY = [7, 4, 2, 1, 1, 3, 9, 20, 30, 32, 31, 33, 42, 38, 32, 31, 34, 42, 53, 62, 66, 59, 40, 19];
const WEEKEND = [14, 9, 5, 3, 2, 2, 4, 9, 19, 33, 46, 54, 57, 55, 53, 52, 52, 54, 58, 63, 66, 61, 46, 28];

/** Returns the days up to a time. The last day may be a part of a day. */
export function daysUpTo(until: Date, count: number, timeZone: string) {
  const offsetAt = offsets(timeZone);
  const startOf = (midnight: number) => midnight - offsetAt(midnight - offsetAt(midnight));
  const lastMoment = until.getTime() - 1;
  const lastMidnight = Math.floor((lastMoment + offsetAt(lastMoment)) / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, index) => {
    const midnight = lastMidnight - (count - 1 - index) * DAY_MS;
    const weekday = (new Date(midnight).getUTCDay() + 6) % 7;
    const start = startOf(midnight);
    const whole = startOf(midnight + DAY_MS) - start;
    const end = Math.min(start + whole, until.getTime());
    const hours = hoursOf(weekday >= 5 ? WEEKEND : WORKDAY);
    const share = hours.shareBefore((end - start) / whole);
    return {
      /** 0 for the first day of the range. */
      index,
      /** The part of the range before this day, from 0 to 1. */
      progress: index / count,
      /** 0 for Monday. */
      weekday,
      /** The first millisecond. */
      start,
      /** The end, exclusive. The last day ends at the end of the range. */
      end,
      /** The share of a whole day's people who come before `end`, from 0 to 1. */
      share,
      /** Returns a time of this day, in milliseconds. `point` is from 0 to 1, and equal steps of it are equal numbers of people. */
      at: (point: number): number => Math.min(end - 1, Math.floor(start + whole * hours.timeOf(point * share))),
    };
  });
}

/** Returns the offset of the zone from UTC in milliseconds. */
function offsets(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (ms) => {
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
}

/** Times and shares are parts of a day, from 0 to 1. */
function hoursOf(people: readonly number[]) {
  const total = people.reduce((sum, n) => sum + n, 0);
  const before = [0];
  for (const n of people) before.push(before.at(-1)! + n / total);
  return {
    shareBefore(time: number): number {
      const hour = Math.min(23, Math.floor(time * 24));
      return before[hour]! + (before[hour + 1]! - before[hour]!) * (time * 24 - hour);
    },
    timeOf(share: number): number {
      let hour = 0;
      while (hour < 23 && before[hour + 1]! <= share) hour++;
      return (hour + (share - before[hour]!) / (before[hour + 1]! - before[hour]!)) / 24;
    },
  };
}
