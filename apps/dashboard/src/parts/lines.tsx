import { useComputedColorScheme } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { type Figures, useLines } from './chart-lines.ts';

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

/** Pixels of the chart with its legend. */
const HEIGHT = 244;

export function Lines({ figures, name, label, before = '' }: LinesProps) {
  const chart = useLines(figures, name, before);
  const scheme = useComputedColorScheme();
  return (
    <div style={{ minHeight: HEIGHT }}>
      <Suspense fallback={<div aria-busy />}>{chart && <Chart label={label} scheme={scheme} {...chart} />}</Suspense>
    </div>
  );
}
