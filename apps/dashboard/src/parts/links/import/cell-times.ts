// Times in cells. A text that may be read in two ways is no time until a person says which one it is.
import { instantOfWall } from '../../time-zone.ts';

/** How a file writes days with the year at the end. Null: nobody has said it. */
export type DayOrder = 'dayFirst' | 'monthFirst' | null;

export type CellTime = { instant: string } | { fault: 'noTime' | 'twoWays' };

/** A day, or a time with or without its distance from UTC: RFC 3339, and a space instead of the `T`. */
const TIME =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,3})0*)?)?(?<zone>Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i;

/** A day as countries write it, perhaps with a time. */
const YEAR_LAST =
  /^(?<first>\d{1,2})(?<sign>[./-])(?<second>\d{1,2})\k<sign>(?<year>\d{4})(?<time>[T ]\d\d:\d\d(?::\d\d)?)?$/i;

/** @param timeZone the zone of days, whose beginning counts, and of times without one */
export function timeOf(text: string, timeZone: string, order: DayOrder): CellTime {
  const { first = '', second = '', year, time = '' } = YEAR_LAST.exec(text)?.groups ?? {};
  if (year === undefined) return timeOfIso(text, timeZone);
  const [a, b] = [Number(first), Number(second)];
  if (order === null && a !== b && a <= 12 && b <= 12) return { fault: 'twoWays' };
  const isDayFirst = order === null ? a > 12 || a === b : order === 'dayFirst';
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return timeOfIso(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`, timeZone);
}

function timeOfIso(text: string, timeZone: string): CellTime {
  const { day, minute = '00:00', second = '00', fraction = '', zone } = TIME.exec(text)?.groups ?? {};
  if (day === undefined) return { fault: 'noTime' };
  const iso = `${day}T${minute}:${second}.${fraction.padEnd(3, '0')}Z`;
  const wall = Date.parse(iso);
  // A day that is in no calendar, such as 30 February, would become another one.
  if (Number.isNaN(wall) || new Date(wall).toISOString() !== iso) return { fault: 'noTime' };
  const instant = zone === undefined ? instantOfWall(wall, timeZone) : wall - distanceOf(zone);
  return { instant: new Date(instant).toISOString() };
}

/** Returns the milliseconds of a distance from UTC. */
function distanceOf(zone: string): number {
  if (/^Z$/i.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
