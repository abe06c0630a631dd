// Turns the answer of analytics into the lines of a chart, for the app and for the page of a share.
import { useMemo } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

export interface Figures {
  interval: string;
  timeZone: string;
  /** When the last bucket ends. */
  to: string;
  buckets: { from: string }[];
  values: number[];
  previous?: { values: number[]; from: string; to: string } | null;
}

/** Returns what the chart needs besides its label. Null: there is no answer yet. */
export function useLines(figures: Figures | undefined, name: string, before: string) {
  const t = useTranslations('chart');
  const format = useFormatter();
  return useMemo(() => {
    if (!figures) return null;
    const { buckets, values, previous, timeZone, interval, to } = figures;
    const times = buckets.map(({ from }) => from);
    const time = interval === 'hour' ? ({ hour: 'numeric', minute: '2-digit' } as const) : {};
    const names = times.map((at) =>
      format.dateTime(new Date(at), { month: 'short', day: 'numeric', ...time, timeZone }),
    );
    const clock = (at: string) => format.dateTime(new Date(at), { timeStyle: 'short', timeZone });
    function days({ from, to }: { from: string; to: string }): string {
      // The end is not a part of it.
      const last = new Date(Date.parse(to) - 1);
      const range = format.dateTimeRange(new Date(from), last, { dateStyle: 'medium', timeZone });
      // Until now, days are compared with days that end at this time, too.
      return clock(from) === clock(to) ? range : t('until', { range, time: clock(to) });
    }
    const unfinished = isUnfinished(times, to);
    return {
      times,
      marks: names,
      names: unfinished ? names.with(-1, t('soFar', { time: names.at(-1)! })) : names,
      unfinished,
      series: [
        { name, values },
        ...(previous
          ? [{ name: `${before} (${days(previous)})`, values: previous.values, line: 'dotted' as const }]
          : []),
      ],
    };
  }, [figures, format, t, name, before]);
}

/** Days differ by an hour where clocks change. */
const NEARLY = 0.9;

/** True when the last bucket is shorter than the one before: its time is not over, so its figure is not a fall. */
function isUnfinished(times: readonly string[], to: string): boolean {
  const [before, last] = times.slice(-2).map((time) => Date.parse(time));
  return last !== undefined && Date.parse(to) - last < (last - before!) * NEARLY;
}
