import { csvCell } from '@landfall/api-client/csv';
import type { AnalyticsInterval } from '@landfall/contracts';

interface Figures {
  readonly metric: string;
  readonly interval: AnalyticsInterval;
  readonly timeZone: string;
  readonly buckets: readonly { readonly from: string; readonly to: string }[];
  readonly values: readonly number[];
  readonly groups: readonly { value: string | null; name: string | null; values: readonly number[] }[] | null;
  readonly other: { readonly groups: number; readonly values: readonly number[] } | null;
}

export async function* figuresAsCsv(figures: Figures): AsyncGenerator<string> {
  const { metric, groups, values, other } = figures;
  const line = (...cells: unknown[]) => `${cells.map(csvCell).join()}\r\n`;
  const spans = spansOf(figures);
  if (groups === null) {
    yield line('from', 'to', metric);
    yield spans.map((span, i) => line(...span, values[i])).join('');
    return;
  }
  yield line('from', 'to', 'value', 'name', metric);
  for (const group of groups)
    yield spans.map((span, i) => line(...span, group.value, group.name, group.values[i])).join('');
  if (other !== null)
    yield spans.map((span, i) => line(...span, `(${other.groups} others)`, null, other.values[i])).join('');
}

/**
 * Returns the first and the last day of each bucket, as `from` and `to` of a question name days. Of an hour, its beginning
 * and its end with the offset from UTC: an hour may come twice on a day.
 */
function spansOf({ buckets, interval, timeZone }: Figures): (readonly [from: string, to: string])[] {
  const clock = clockOf(timeZone);
  return buckets.map(({ from, to }) => {
    if (interval === 'hour') return [clock(Date.parse(from)).time, clock(Date.parse(to)).time];
    return [clock(Date.parse(from)).day, clock(Date.parse(to) - 1).day];
  });
}

/** Returns a function for the day and the time of an instant, e.g. `2026-11-27T09:00:00+05:30`. */
function clockOf(timeZone: string): (ms: number) => { day: string; time: string } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  return (ms) => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const day = `${part.year}-${part.month}-${part.day}`;
    // `GMT+05:30`, and `GMT` alone for none.
    const offset = part.timeZoneName!.slice(3) || '+00:00';
    return { day, time: `${day}T${part.hour}:${part.minute}:${part.second}${offset}` };
  };
}
