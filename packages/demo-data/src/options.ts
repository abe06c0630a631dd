// The options of the demo data, and the range that they name.
import { type Day, daysUpTo } from './days.ts';

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

export interface Range {
  readonly appId: string;
  readonly days: readonly Day[];
  readonly clicks: number;
  /** Names all options. Ids come from it, so two ranges never share an id. */
  readonly key: string;
}

/** Reads options. Throws a RangeError for a number, time or zone that makes no sense. */
export function rangeOf(options: DemoOptions): Range {
  const { appId, until, days = 90, clicks = 60_000, seed = 1, timeZone = 'UTC' } = options;
  if (!Number.isInteger(days) || days < 1) throw new RangeError('days must be a whole number from 1 on');
  if (!Number.isInteger(clicks) || clicks < 0) throw new RangeError('clicks must be a whole number from 0 on');
  const key = [appId, until.toISOString(), days, clicks, seed, timeZone].join(' ');
  return { appId, days: daysUpTo(until, days, timeZone), clicks, key };
}
