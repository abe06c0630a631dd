import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { useFormatter } from 'use-intl';

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
  buckets: { from: string }[];
  values: number[];
  previous?: { values: number[] } | null;
}

export function Lines({ figures, name, label, before = '' }: LinesProps) {
  const format = useFormatter();
  const chart = useMemo(() => {
    if (!figures) return null;
    const { buckets, values, previous, timeZone, interval } = figures;
    const times = buckets.map(({ from }) => from);
    const time = interval === 'hour' ? ({ hour: 'numeric', minute: '2-digit' } as const) : {};
    return {
      times,
      names: times.map((at) => format.dateTime(new Date(at), { month: 'short', day: 'numeric', ...time, timeZone })),
      series: [{ name, values }, ...(previous ? [{ name: before, values: previous.values, faint: true }] : [])],
    };
  }, [figures, format, name, before]);
  return (
    <div style={{ minHeight: 230 }}>
      <Suspense fallback={<div aria-busy />}>{chart && <Chart label={label} {...chart} />}</Suspense>
    </div>
  );
}
