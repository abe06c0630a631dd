// The days that a page asks about. All of them are days of the app's time zone.

/** Ranges up to now. */
export const PRESETS = ['today', '24h', 'week', '7', '30', 'month', '90', 'year', '365'] as const;
export type Preset = (typeof PRESETS)[number];

/** As the API takes them: a day, or a time. Without an end: up to now. */
export interface Days {
  from: string;
  to?: string;
}

interface Chosen {
  range?: Preset;
  from?: string;
  to?: string;
}

export type Interval = 'hour' | 'day' | 'week';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours are read up to this many days, and weeks from this many on. */
const HOURS_UP_TO = 2;
const WEEKS_FROM = 180;

/** Returns the range of a view, and the length of the parts in which a chart shows it. */
export function daysOf({ range = '30', from, to }: Chosen, timeZone: string, now = new Date()) {
  if (from !== undefined && to !== undefined) {
    const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
    return { days: { from, to } as Days, interval: intervalOf(count) };
  }
  if (range === '24h') return { days: { from: dayAgo(timeZone, now) } as Days, interval: 'hour' as const };
  const first = firstDay(range, timeZone, now);
  const count = Math.round((Date.parse(firstDay('today', timeZone, now)) - Date.parse(first)) / DAY_MS) + 1;
  return { days: { from: first } as Days, interval: intervalOf(count) };
}

const intervalOf = (days: number): Interval => (days <= HOURS_UP_TO ? 'hour' : days >= WEEKS_FROM ? 'week' : 'day');

/** Returns the beginning of the hour of 23 hours ago: with the hour that is not over these are 24. */
function dayAgo(timeZone: string, now: Date): string {
  // Some zones are half an hour away from others.
  const minute = Number(new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' }).format(now));
  const hour = Math.floor(now.getTime() / 60_000) * 60_000 - minute * 60_000;
  return new Date(hour - 23 * HOUR_MS).toISOString();
}

/** Returns the first day of a range that ends today. */
export function firstDay(range: Exclude<Preset, '24h'>, timeZone: string, now = new Date()): string {
  // The Swedish format is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
  if (range === 'today') return today;
  if (range === 'month') return `${today.slice(0, 7)}-01`;
  if (range === 'year') return `${today.slice(0, 4)}-01-01`;
  const first = new Date(`${today}T00:00:00Z`);
  // A week begins on Monday.
  const back = range === 'week' ? (first.getUTCDay() + 6) % 7 : Number(range) - 1;
  return new Date(first.getTime() - back * DAY_MS).toISOString().slice(0, 10);
}

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
