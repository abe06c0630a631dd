import { TZDate } from '@date-fns/tz';

/**
 * Returns the instant of a time on the wall of a zone, such as `2026-11-24T09:30`, as a date field gives it.
 * Returns null for no time.
 */
export function instantIn(wall: string, timeZone: string): string | null {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(wall) ?? [];
  if (year === undefined) return null;
  const time = new TZDate(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), timeZone);
  return new Date(time.getTime()).toISOString();
}

/** Returns an instant as the time on the wall of a zone, for a date field. */
export function wallIn(instant: string, timeZone: string): string {
  const time = new TZDate(Date.parse(instant), timeZone);
  const two = (value: number) => `${value}`.padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
