import { Box, Paper, Text, useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useFormatter } from 'use-intl';
import { topOf, WHOLE } from './chart-axis.ts';
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
  /** True: the last bucket is still counted. Its line is dashed. */
  unfinished: boolean;
}

/** The bucket at the pointer, and pixels of its highest point from the left and the upper edge of the plot. */
interface Shown {
  bucket: number;
  left: number;
  top: number;
}

const HEIGHT = 220;
const COLORS = {
  light: { line: '#364fc7', text: '#495057', grid: '#e9ecef' },
  dark: { line: '#91a7ff', text: '#c1c2c5', grid: '#373a40' },
};

/** Lines over time, with the values at the pointer. The same figures are in a table for people who do not see the lines. */
export function Chart({ label, times, names, series, unfinished }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(null);
  const [shown, show] = useState<Shown | null>(null);
  const scheme = useComputedColorScheme();
  const format = useFormatter();
  useEffect(() => {
    const box = place.current!;
    const { line, text, grid } = COLORS[scheme];
    const font = `12px ${getComputedStyle(box).fontFamily}`;
    const axis = { stroke: text, font, grid: { stroke: grid, width: 1 }, ticks: { show: false }, incrs: WHOLE };
    const drawnSeries = unfinished ? series.flatMap(endDashed) : series;
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        scales: { x: { time: false }, y: { range: (_, __, max) => [0, topOf(max ?? 0)] } },
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: { setCursor: [(plot) => show(shownAt(plot, series))] },
        axes: [
          { ...axis, size: 22, space: 80, values: (_, marks) => marks.map((mark) => names[mark] ?? '') },
          { ...axis, size: 64, values: (_, marks) => marks.map((mark) => format.number(mark)) },
        ],
        series: [
          {},
          ...drawnSeries.map(({ name, faint }) => ({
            label: name,
            stroke: line,
            width: 2,
            // A line of one point has no length.
            points: { show: times.length === 1 },
            ...(faint ? { dash: [4, 4], alpha: 0.6 } : { fill: `${line}22` }),
          })),
        ],
      },
      [
        times.map((_, bucket) => bucket),
        ...drawnSeries.map(({ values }) => times.map((_, bucket) => values[bucket] ?? null)),
      ],
      box,
    );
    drawn.current = plot;
    const follow = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
    follow.observe(box);
    return () => {
      follow.disconnect();
      plot.destroy();
    };
  }, [times, names, series, unfinished, scheme, format]);
  return (
    <figure style={{ margin: 0 }}>
      <Box pos="relative">
        <Box
          ref={place}
          mih={HEIGHT}
          role="img"
          aria-label={label}
          tabIndex={0}
          onKeyDown={(event) => {
            const next = nextBucket(event.key, shown?.bucket, times.length);
            if (next === null) return;
            event.preventDefault();
            moveTo(drawn.current!, next);
          }}
          onBlur={() => show(null)}
        />
        {shown !== null && <Legend shown={shown} width={place.current!.clientWidth} names={names} series={series} />}
      </Box>
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

/** Returns a series in two: as far as it is counted, and the dashed way to its last value. */
const endDashed = (one: Series): Series[] =>
  one.faint
    ? [one]
    : [
        { ...one, values: one.values.with(-1, null) },
        { ...one, faint: true, values: one.values.map((value, at) => (at < one.values.length - 2 ? null : value)) },
      ];

function shownAt(plot: uPlot, series: readonly Series[]): Shown | null {
  const { idx } = plot.cursor;
  if (idx == null) return null;
  const most = Math.max(0, ...series.map(({ values }) => values[idx] ?? 0));
  return { bucket: idx, left: plot.valToPos(idx, 'x'), top: plot.valToPos(most, 'y') };
}

const moveTo = (plot: uPlot, bucket: number): void => plot.setCursor({ left: plot.valToPos(bucket, 'x'), top: 0 });

/** Returns the bucket to which a key leads. Null: the key does nothing here. */
function nextBucket(key: string, bucket: number | undefined, count: number): number | null {
  const last = count - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowLeft') return Math.max(0, (bucket ?? count) - 1);
  if (key === 'ArrowRight') return Math.min(last, (bucket ?? -1) + 1);
  return null;
}

/** Pixels of the axis of figures, and the widest legend. */
const AXIS = 64;
const LEGEND = 200;
/** Pixels of its lines and of the axis of days: it stays above that. */
const LOWEST = 100;

/** The values at the pointer, beside it. */
function Legend({
  shown,
  width,
  names,
  series,
}: { shown: Shown; width: number } & Pick<ChartProps, 'names' | 'series'>) {
  const format = useFormatter();
  const isLeft = AXIS + shown.left + LEGEND > width;
  return (
    <Paper
      withBorder
      shadow="sm"
      px="xs"
      py={4}
      pos="absolute"
      top={Math.max(0, Math.min(shown.top - 12, HEIGHT - LOWEST))}
      role="status"
      maw={LEGEND}
      style={{
        pointerEvents: 'none',
        ...(isLeft ? { right: width - AXIS - shown.left + 12 } : { left: AXIS + shown.left + 12 }),
      }}
    >
      <Text size="xs" fw={600}>
        {names[shown.bucket]}
      </Text>
      {series.map(({ name, values }) => {
        const value = values[shown.bucket] ?? null;
        return (
          <Text key={name} size="xs">
            {name}: {value === null ? '–' : format.number(value)}
          </Text>
        );
      })}
    </Paper>
  );
}
