// The range of a question and its buckets, in the zone of the app.
import type { AnalyticsInterval } from '@landfall/contracts';
import { addDays, DAY_MS, firstDayAfter, SLOT_MS, type Zone } from './zone.ts';

const MOST_BUCKETS = 1_000;
const DEFAULT_DAYS = 30;

export interface Range {
  readonly zone: Zone;
  /** Milliseconds. The end is exclusive. */
  readonly from: number;
  readonly to: number;
}

export interface Bucketed extends Range {
  readonly interval: AnalyticsInterval;
  /** The beginnings of the buckets, in milliseconds. The first is `from`. */
  readonly buckets: readonly number[];
}

export type RangeRefusal =
  | { code: 'RANGE_EMPTY'; facts: Record<string, never> }
  | { code: 'RANGE_TOO_LONG'; facts: { buckets: number; limit: number } };

const isDay = (moment: string) => moment.length === 10;

/**
 * Reads a range. A day stands for its beginning as `from`, and for its end as `to`. A range that has begun ends now at the
 * latest: the same days have the same figures, however they are named, and are compared with a time of equal length.
 * @param from null: 30 days before the end, with the day of the end
 * @param to null: now
 */
export function rangeOf(zone: Zone, from: string | null, to: string | null, now: Date): Range {
  const present = now.getTime();
  const end = to === null ? present : isDay(to) ? zone.dayStart(addDays(to, 1)) : Date.parse(to);
  if (from === null) {
    const last = Math.min(end, present);
    return { zone, from: zone.dayStart(addDays(zone.at(last - 1).day, 1 - DEFAULT_DAYS)), to: last };
  }
  const start = isDay(from) ? zone.dayStart(from) : Date.parse(from);
  return { zone, from: start, to: start < present ? Math.min(end, present) : end };
}

/** Returns the period of equal length before a range. A range of whole days has whole days before it. */
export function before(range: Range): Range {
  const { zone, from, to } = range;
  const first = zone.at(from).day;
  if (zone.dayStart(first) !== from) return { zone, from: from - (to - from), to: from };
  // The last day may be today, and not over: the period before ends at the same time of its day.
  const last = zone.at(to - 1).day;
  const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  const lastBefore = addDays(first, -1);
  const end = zone.dayStart(lastBefore) + (to - zone.dayStart(last));
  return { zone, from: zone.dayStart(addDays(first, -days)), to: Math.min(end, from) };
}

/**
 * Returns the same days, some months before. A month without such a day has its last day in its place: 28 February for 29
 * to 31.
 */
export function monthsBefore({ zone, from, to }: Range, months: number): Range {
  const moved = (ms: number) => {
    const { day } = zone.at(ms);
    const [year, month, date] = day.split('-').map(Number) as [number, number, number];
    const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
    const before = new Date(Date.UTC(year, month - 1 - months, Math.min(date, last))).toISOString().slice(0, 10);
    return zone.dayStart(before) + (ms - zone.dayStart(day));
  };
  // The end is moved as the last moment before it: it may be the beginning of the next day.
  return { zone, from: moved(from), to: moved(to - 1) + 1 };
}

/** Returns the range up to the end of its last hour or day. */
export function rounded(range: Range, unit: 'hour' | 'day'): Range {
  const { zone, to } = range;
  return { ...range, to: nextStart(zone, to - 1, unit) };
}

/** Divides a range into buckets. The first and the last may be parts of a day, a week or a month. */
export function bucketed(range: Range, interval: AnalyticsInterval): Bucketed | RangeRefusal {
  const { zone, from, to } = range;
  if (!(from < to)) return { code: 'RANGE_EMPTY', facts: {} };
  const buckets = [from];
  for (let next = nextStart(zone, from, interval); next < to; next = nextStart(zone, next, interval)) {
    buckets.push(next);
    // Counting on would take long for a range of centuries.
    if (buckets.length > MOST_BUCKETS) return tooLong(range, interval);
  }
  return { ...range, interval, buckets };
}

function tooLong({ from, to }: Range, interval: AnalyticsInterval): RangeRefusal {
  const lengths = { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, total: to - from };
  return {
    code: 'RANGE_TOO_LONG',
    facts: { buckets: Math.ceil((to - from) / lengths[interval]), limit: MOST_BUCKETS },
  };
}

function nextStart(zone: Zone, ms: number, interval: AnalyticsInterval): number {
  if (interval === 'total') return Number.POSITIVE_INFINITY;
  if (interval === 'hour') return nextHour(zone, ms);
  const { day } = zone.at(ms);
  return zone.dayStart(interval === 'day' ? addDays(day, 1) : firstDayAfter(interval, day));
}

function nextHour(zone: Zone, ms: number): number {
  const { hour } = zone.at(ms);
  let next = Math.floor(ms / SLOT_MS) * SLOT_MS + SLOT_MS;
  while (zone.at(next).hour === hour) next += SLOT_MS;
  return next;
}

/** True when the range begins and ends at a change of the day. The end may also be in the day that is not over. */
export function isWholeDays({ zone, from, to }: Range, now: Date): boolean {
  const begins = (ms: number) => zone.dayStart(zone.at(ms).day) === ms;
  return begins(from) && (begins(to) || to >= now.getTime());
}

/** The same of the hour. */
export function isWholeHours({ zone, from, to }: Range, now: Date): boolean {
  const begins = (ms: number) => zone.at(ms).hour === ms;
  return begins(from) && (begins(to) || to >= now.getTime());
}
