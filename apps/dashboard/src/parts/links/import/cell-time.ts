import { instantOfWall } from '../../time-zone.ts';

/** A day, or a time with or without its distance from UTC: RFC 3339, and a space instead of the `T`. */
const TIME =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,3})0*)?)?(?<zone>Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i;

/**
 * Returns the instant that a cell names. A day is its beginning. A day, and a time without its distance from UTC, are in
 * the zone. Returns null for everything else: each browser and each country reads other texts differently.
 */
export function instantOfCell(text: string, timeZone: string): string | null {
  const { day, minute = '00:00', second = '00', fraction = '', zone } = TIME.exec(text)?.groups ?? {};
  if (day === undefined) return null;
  const iso = `${day}T${minute}:${second}.${fraction.padEnd(3, '0')}Z`;
  const wall = Date.parse(iso);
  // A day that is in no calendar, such as 30 February, would become another one.
  if (Number.isNaN(wall) || new Date(wall).toISOString() !== iso) return null;
  return new Date(zone === undefined ? instantOfWall(wall, timeZone) : wall - distanceOf(zone)).toISOString();
}

/** Returns the milliseconds of a distance from UTC. */
function distanceOf(zone: string): number {
  if (/^Z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
