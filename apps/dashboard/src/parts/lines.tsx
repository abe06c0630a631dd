import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { useFormatter, useTranslations } from 'use-intl';

// The library of the chart is loaded after the figures.
const Chart = lazyRouteComponent(() => import('./chart.tsx'), 'Chart');

interface LinesProps {
  /** The answer of analytics. Until it is there, its place stays free. */
  figures: Figures | undefined;
  /** The counted metric. */
  name: string;
  label: string;
  /** The name of the period that the answer compares with, if it has one. */
  before?: string;
}

interface Figures {
  interval: string;
  timeZone: string;
  /** When the last bucket ends. */
  to: string;
  buckets: { from: string }[];
  values: number[];
  previous?: { values: number[] } | null;
}

/** Pixels of the chart with its legend. */
const HEIGHT = 244;

export function Lines({ figures, name, label, before = '' }: LinesProps) {
  const t = useTranslations('chart');
  const format = useFormatter();
  const chart = useMemo(() => {
    if (!figures) return null;
    const { buckets, values, previous, timeZone, interval, to } = figures;
    const times = buckets.map(({ from }) => from);
    const time = interval === 'hour' ? ({ hour: 'numeric', minute: '2-digit' } as const) : {};
    const names = times.map((at) =>
      format.dateTime(new Date(at), { month: 'short', day: 'numeric', ...time, timeZone }),
    );
    const unfinished = isUnfinished(times, to);
    return {
      times,
      names: unfinished ? names.with(-1, t('soFar', { time: names.at(-1)! })) : names,
      unfinished,
      series: [
        { name, values },
        ...(previous ? [{ name: before, values: previous.values, line: 'dotted' as const }] : []),
      ],
    };
  }, [figures, format, t, name, before]);
  return (
    <div style={{ minHeight: HEIGHT }}>
      <Suspense fallback={<div aria-busy />}>{chart && <Chart label={label} {...chart} />}</Suspense>
    </div>
  );
}

/** Days differ by an hour where clocks change. */
const NEARLY = 0.9;

/** True when the last bucket is shorter than the one before: its time is not over, so its figure is not a fall. */
function isUnfinished(times: readonly string[], to: string): boolean {
  const [before, last] = times.slice(-2).map((time) => Date.parse(time));
  return last !== undefined && Date.parse(to) - last < (last - before!) * NEARLY;
}
