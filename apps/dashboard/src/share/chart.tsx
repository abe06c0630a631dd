// The chart of the app. Its library comes after the figures.
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { type Figures, useLines } from '../parts/chart-lines.ts';

const Drawn = lazy(async () => ({ default: (await import('../parts/chart.tsx')).Chart }));

interface ChartProps {
  figures: Figures;
  name: string;
  label: string;
  /** The name of the days before. */
  before: string;
}

export function Chart({ figures, name, label, before }: ChartProps) {
  const chart = useLines(figures, name, before);
  const isDark = useSyncExternalStore(follow, () => dark.matches);
  return (
    <div className="chart">
      <Suspense>{chart && <Drawn label={label} scheme={isDark ? 'dark' : 'light'} {...chart} />}</Suspense>
    </div>
  );
}

const dark = window.matchMedia('(prefers-color-scheme: dark)');

function follow(changed: () => void): () => void {
  dark.addEventListener('change', changed);
  return () => dark.removeEventListener('change', changed);
}
