// The figures of an alert: of its last complete hours or day, and of the same ones of the four weeks before.
import { addDays, localOf } from '../reports/schedule.ts';
import { median } from './rules.ts';

/** The lengths of what an alert counts. `day`: a whole day of the calendar. */
export const windows = ['1h', '3h', '6h', '12h', '24h', 'day'] as const;
export type AlertWindow = (typeof windows)[number];

/** Returns the hours of a window. 0: a day. */
export const hoursOf = (window: AlertWindow): number => (window === 'day' ? 0 : Number.parseInt(window, 10));
export const windowOf = (hours: number): AlertWindow => (hours === 0 ? 'day' : (`${hours}h` as AlertWindow));

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WEEKS = [1, 2, 3, 4];
/** Fewer weeks say nothing about what is usual. */
const FEWEST_WEEKS = 2;
/** A clock is set by one of these. */
const SHIFTS = [0, HOUR_MS, -HOUR_MS, HOUR_MS / 2, -HOUR_MS / 2];
/** More days than four weeks and the longest window. */
const ASKED_DAYS = 30;

/** Returns the question for analytics. */
export function askedFor(hours: number, zone: string, now: Date): { from: string; interval: 'hour' | 'day' } {
  const today = localOf(zone, now.getTime()).slice(0, 10);
  return { from: addDays(today, -ASKED_DAYS), interval: hours === 0 ? 'day' : 'hour' };
}

export interface Counted {
  /** The beginnings of the hours or days. The last one ends at `to`. */
  buckets: readonly string[];
  to: string;
  values: readonly number[];
}

export interface Window {
  from: Date;
  to: Date;
  value: number;
  /** Null: too few weeks are counted. */
  expected: number | null;
  /** The number of weeks that `expected` is made of. */
  weeks: number;
}

/** @param completeFrom the time since which everything is counted, in milliseconds. */
export function windowIn({ buckets, to, values }: Counted, hours: number, zone: string, completeFrom: number): Window {
  const starts = buckets.map((at) => Date.parse(at));
  const end = Date.parse(to);
  const length = hours === 0 ? 1 : hours;
  // The last hour or day is usually not over.
  const isOver = hours === 0 ? localOf(zone, end).slice(11) === '00:00' : end - starts.at(-1)! >= HOUR_MS;
  const count = isOver ? starts.length : starts.length - 1;
  const first = count - length;
  const sumFrom = (place: number) => values.slice(place, place + length).reduce((sum, n) => sum + n, 0);
  const places = new Map(starts.map((ms, place) => [ms, place]));
  const before = WEEKS.flatMap((week) => {
    const at = sameTime(starts[first]!, week, zone);
    const place = places.get(at);
    return place !== undefined && at >= completeFrom ? [sumFrom(place)] : [];
  });
  return {
    from: new Date(starts[first]!),
    to: new Date(starts[count] ?? end),
    value: sumFrom(first),
    expected: before.length < FEWEST_WEEKS ? null : median(before),
    weeks: before.length,
  };
}

/** Returns when the clock of the zone showed the same, on the same day of the week some weeks before. */
function sameTime(ms: number, weeks: number, zone: string): number {
  const about = ms - weeks * 7 * DAY_MS;
  const shown = localOf(zone, ms);
  const wanted = `${addDays(shown.slice(0, 10), -7 * weeks)} ${shown.slice(11)}`;
  return SHIFTS.map((shift) => about + shift).find((at) => localOf(zone, at) === wanted) ?? about;
}
