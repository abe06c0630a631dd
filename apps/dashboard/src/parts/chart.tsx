import { Box, useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useFormatter, useTranslations } from 'use-intl';
import 'uplot/dist/uPlot.min.css';

interface Series {
  name: string;
  values: readonly (number | null)[];
  /** The period before, drawn dashed. */
  faint?: boolean;
}

interface ChartProps {
  /** What the chart shows, as a sentence. Screen readers read it. */
  label: string;
  /** The beginning of each bucket, as the server counted it. */
  times: readonly string[];
  /** The words of each bucket, in the zone of the app. */
  names: readonly string[];
  series: readonly Series[];
}

const HEIGHT = 220;
const COLORS = {
  light: { line: '#364fc7', text: '#495057', grid: '#e9ecef' },
  dark: { line: '#91a7ff', text: '#c1c2c5', grid: '#373a40' },
};

/** Lines over time. The same figures are in a table for people who do not see the lines. */
export function Chart({ label, times, names, series }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const t = useTranslations('chart');
  const format = useFormatter();
  useEffect(() => {
    const box = place.current!;
    const { line, text, grid } = COLORS[scheme];
    const last = times.length - 1;
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        scales: { x: { time: false }, y: { range: (_, __, max) => [0, Math.max(4, max)] } },
        legend: { show: true },
        axes: [
          { ...axis, values: (_, marks) => marks.map((mark) => names[mark] ?? '') },
          { ...axis, size: 56 },
        ],
        series: [
          // The legend tells the bucket under the pointer, and else the last one.
          { label: t('time'), value: (_, __, ___, bucket) => names[bucket ?? last] ?? '' },
          ...series.map(({ name, values, faint }) => ({
            label: name,
            value: (_: uPlot, __: number, ___: number, bucket: number | null) => {
              const shown = values[bucket ?? last] ?? null;
              return shown === null ? '–' : format.number(shown);
            },
            stroke: line,
            width: 2,
            ...(faint ? { dash: [4, 4], alpha: 0.6 } : { fill: `${line}22` }),
          })),
        ],
      },
      [times.map((_, bucket) => bucket), ...series.map(({ values }) => [...values])],
      box,
    );
    plot.setLegend({ idx: last });
    const follow = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
    follow.observe(box);
    return () => {
      follow.disconnect();
      plot.destroy();
    };
  }, [times, names, series, scheme, t, format]);
  return (
    <figure style={{ margin: 0 }}>
      {/* The legend is below the plot. */}
      <Box ref={place} mih={HEIGHT + 30} role="img" aria-label={label} />
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <td />
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time, bucket) => (
              <tr key={time}>
                <th scope="row">{names[bucket]}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{values[bucket]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
