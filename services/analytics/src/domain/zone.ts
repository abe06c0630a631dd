// The calendar of a time zone: which day and which hour an instant belongs to, and when days and hours begin. Node has no
// Temporal without a flag, and its `Intl` knows the offsets, which is all that this needs.

/** All offsets of today's zones, and all their changes, are multiples of 15 minutes. */
export const SLOT_MS = 900_000;
const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The day and the hour of an instant, by the clock of a zone. */
export interface LocalTime {
  /** For example `2026-11-23`. */
  readonly day: string;
  /**
   * The beginning of the hour, in milliseconds. When the clock is set forward or back within an hour, or by a part of an
   * hour, the next hour begins at that moment.
   */
  readonly hour: number;
}

export interface Zone {
  readonly name: string;
  at(ms: number): LocalTime;
  /** Returns when a day begins, in milliseconds. In some zones a day begins at 01:00. */
  dayStart(day: string): number;
}

/** Slots that a zone remembers: more than a year of days in use. */
const MOST_SLOTS = 40_000;
const MOST_ZONES = 600;
const zones = new Map<string, Zone>();

/** @throws RangeError when the IANA database has no such zone */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    if (zones.size >= MOST_ZONES) zones.clear();
    zone = createZone(name);
    zones.set(name, zone);
  }
  return zone;
}

function createZone(name: string): Zone {
  const offsetAt = offsets(name);
  const slots = new Map<number, LocalTime>();

  function at(ms: number): LocalTime {
    const slot = Math.floor(ms / SLOT_MS);
    let local = slots.get(slot);
    if (local === undefined) {
      if (slots.size >= MOST_SLOTS) slots.clear();
      local = localOf(slot * SLOT_MS);
      slots.set(slot, local);
    }
    return local;
  }

  function localOf(ms: number): LocalTime {
    const offset = offsetAt(ms);
    const clock = ms + offset;
    let hour = ms - (((clock % HOUR_MS) + HOUR_MS) % HOUR_MS);
    while (offsetAt(hour) !== offset) hour += SLOT_MS;
    return { day: new Date(clock).toISOString().slice(0, 10), hour };
  }

  function dayStart(day: string): number {
    const midnight = Date.parse(`${day}T00:00:00.000Z`);
    let ms = midnight - offsetAt(midnight);
    while (at(ms).day < day) ms += SLOT_MS;
    while (at(ms - SLOT_MS).day >= day) ms -= SLOT_MS;
    return ms;
  }

  return { name, at, dayStart };
}

/** The offset of the zone from UTC, in milliseconds. */
function offsets(name: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  return (ms) => {
    const part = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(part) ?? [];
    if (sign === undefined) return 0;
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000);
  };
}

export const addDays = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + n * DAY_MS).toISOString().slice(0, 10);

/** The first day of the week is Monday. */
export function firstDayOf(unit: 'week' | 'month', day: string): string {
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  const sunday = new Date(`${day}T00:00:00.000Z`).getUTCDay();
  return addDays(day, -((sunday + 6) % 7));
}

export function firstDayAfter(unit: 'week' | 'month', day: string): string {
  const first = firstDayOf(unit, day);
  if (unit === 'week') return addDays(first, 7);
  const [year, month] = first.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}
