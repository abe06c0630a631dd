import { tzOffset } from '@date-fns/tz';

/** Names of today that browsers list under an older one. They take both. */
export const RENAMED_ZONES = [
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
];

/** All time zones, by their names of today and before. */
export const timeZones = (): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), ...RENAMED_ZONES, 'UTC'])].sort();

const DAY_MS = 86_400_000;

/**
 * Returns the instant of a time on the wall of a zone, both in milliseconds, the time as if it were in UTC. A time that
 * comes twice is the first of both. A time that the clocks leave out counts as if they had not been changed yet, so
 * 02:30 is 03:30. RFC 5545 has this rule for calendars.
 */
export function instantOfWall(wall: number, timeZone: string): number {
  const offset = (at: number) => tzOffset(timeZone, new Date(at)) * 60_000;
  const [before, after] = [wall - offset(wall - DAY_MS), wall - offset(wall + DAY_MS)];
  const fitting = [before, after].filter((at) => at + offset(at) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : before;
}

/** Reads a date field, which has a time on the wall of a zone such as `2026-11-24T09:30`. Null: no time. */
export function instantIn(wall: string, timeZone: string): string | null {
  const [minute] = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.exec(wall) ?? [];
  return minute === undefined ? null : new Date(instantOfWall(Date.parse(`${minute}Z`), timeZone)).toISOString();
}

export function wallIn(instant: string, timeZone: string): string {
  // The Swedish format is that of ISO 8601, with a space in the middle.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(instant)).replace(' ', 'T');
}
