// When a report is due, and which days it is about. All days and hours are those of the app's time zone.

export const periods = ['day', 'week', 'month'] as const;

export interface Schedule {
  every: (typeof periods)[number];
  /** Of a week: 1 (Monday) to 7. Of a month: 1 to 31, and the last day of a shorter month. Of a day it means nothing. */
  day: number;
  /** 0 to 23. */
  hour: number;
}

/** A time at which a report is due, and its day, e.g. `2026-11-23`. */
export interface Due {
  at: Date;
  day: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The offsets of all zones, and all changes of a clock, are multiples of 15 minutes. */
const SLOT_MS = 900_000;
/** More than there are from a day of a month to the same day of the next month. */
const MOST_DAYS = 64;

/** Returns the first time after `after` at which a report is due. */
export function nextDue(schedule: Schedule, zone: string, after: Date): Due {
  let day = addDays(localOf(zone, after.getTime()).slice(0, 10), -1);
  for (let i = 0; i < MOST_DAYS; i++, day = addDays(day, 1)) {
    if (!isDay(schedule, day)) continue;
    const at = instantOf(day, schedule.hour, zone);
    if (at > after.getTime()) return { at: new Date(at), day };
  }
  throw new Error('a schedule without a day');
}

/** Returns the last time at or before `now` at which a report was due. */
export function lastDue(schedule: Schedule, zone: string, now: Date): Due {
  let day = addDays(localOf(zone, now.getTime()).slice(0, 10), 1);
  for (let i = 0; i < MOST_DAYS; i++, day = addDays(day, -1)) {
    if (!isDay(schedule, day)) continue;
    const at = instantOf(day, schedule.hour, zone);
    if (at <= now.getTime()) return { at: new Date(at), day };
  }
  throw new Error('a schedule without a day');
}

/** Returns the first and the last day of a report that is due on a day: from the day of the one before to yesterday. */
export function periodOf(schedule: Schedule, day: string): { from: string; to: string } {
  let from = addDays(day, -1);
  while (!isDay(schedule, from)) from = addDays(from, -1);
  return { from, to: addDays(day, -1) };
}

export const addDays = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + n * DAY_MS).toISOString().slice(0, 10);

function isDay({ every, day: wanted }: Schedule, day: string): boolean {
  if (every === 'day') return true;
  const date = new Date(`${day}T00:00:00.000Z`);
  if (every === 'week') return (date.getUTCDay() || 7) === wanted;
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.getUTCDate() === Math.min(wanted, last);
}

/**
 * Returns the first moment at which the clock of the zone shows this hour of the day or a later one: an hour that the clock
 * leaves out in spring begins with the next one, and an hour that it shows twice is the first of the two.
 */
function instantOf(day: string, hour: number, zone: string): number {
  const wanted = `${day} ${String(hour).padStart(2, '0')}:00`;
  const asUtc = Date.parse(`${wanted.replace(' ', 'T')}:00.000Z`);
  const offset = Date.parse(`${localOf(zone, asUtc).replace(' ', 'T')}:00.000Z`) - asUtc;
  let at = asUtc - offset - 3 * HOUR_MS;
  while (localOf(zone, at) < wanted) at += SLOT_MS;
  return at;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 600;

/** Returns what the clock of a zone shows, e.g. `2026-11-23 09:00`. */
export function localOf(zone: string, ms: number): string {
  let format = formats.get(zone);
  if (format === undefined) {
    if (formats.size >= MOST_FORMATS) formats.clear();
    // Its form is sorted as text, and has the hours 00 to 23.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(zone, format);
  }
  return format.format(ms);
}
