// Without the library of components: the page of a share has none.
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useFormatter, useTranslations } from 'use-intl';
import classes from './chart.module.css';
import { topOf, WHOLE } from './chart-axis.ts';
import hidden from './hidden.module.css';
import 'uplot/dist/uPlot.min.css';

interface Series {
  name: string;
  values: readonly (number | null)[];
  /** How its line is drawn. Default: solid, and filled below. */
  line?: Drawn;
}

/** The period before is dotted, and what is still counted is dashed. */
type Drawn = 'solid' | 'dotted' | 'dashed';

/** Pixels of a line, and of the gap after it. */
const DASHES: Readonly<Record<Drawn, number[]>> = { solid: [], dotted: [2, 4], dashed: [7, 4] };

interface ChartProps {
  /** What the chart shows, as a sentence. Screen readers read it. */
  label: string;
  /** The beginning of each bucket, as the server counted it. */
  times: readonly string[];
  /** The words of each bucket, in the zone of the app. */
  names: readonly string[];
  /** The same as short words on the axis. */
  marks: readonly string[];
  series: readonly Series[];
  /** True: the last bucket is still counted. Its line is dashed. */
  unfinished: boolean;
  scheme: 'light' | 'dark';
}

/** The bucket at the pointer, and pixels of its highest point from the left and the upper edge of the plot. */
interface Shown {
  bucket: number;
  left: number;
  top: number;
}

const HEIGHT = 220;
const COLORS = {
  light: { line: '#364fc7', before: '#6c757d', text: '#495057', grid: '#e9ecef' },
  dark: { line: '#91a7ff', before: '#a6a7ab', text: '#c1c2c5', grid: '#373a40' },
};

/** Lines over time, with the values at the pointer. The same figures are in a table for people who do not see the lines. */
export function Chart({ label, times, names, marks, series, unfinished, scheme }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(null);
  const [shown, show] = useState<Shown | null>(null);
  const t = useTranslations('chart');
  const format = useFormatter();
  useEffect(() => {
    const box = place.current!;
    const colors = COLORS[scheme];
    const { text, grid } = colors;
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
          { ...axis, size: 22, space: 80, values: (_, places) => places.map((place) => marks[place] ?? '') },
          { ...axis, size: 64, values: (_, marks) => marks.map((mark) => format.number(mark)) },
        ],
        series: [
          {},
          ...drawnSeries.map(({ name, line = 'solid' }) => ({
            label: name,
            stroke: colorOf(line, colors),
            width: 2,
            dash: DASHES[line],
            // A line of one point has no length.
            points: { show: times.length === 1 },
            ...(line === 'solid' && { fill: `${colors.line}22` }),
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
  }, [times, marks, series, unfinished, scheme, format]);
  return (
    <figure style={{ margin: 0 }}>
      <div className={classes.place}>
        <div
          ref={place}
          className={classes.plot}
          role="img"
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move along the lines
          tabIndex={0}
          onKeyDown={(event) => {
            const next = nextBucket(event.key, shown?.bucket, times.length);
            if (next === null) return;
            event.preventDefault();
            moveTo(drawn.current!, next);
          }}
          onBlur={() => show(null)}
        />
        {shown !== null && <Values shown={shown} width={place.current!.clientWidth} names={names} series={series} />}
      </div>
      <Legend lines={linesOf(series, names, unfinished, t('these'))} colors={COLORS[scheme]} />
      <div className={hidden.hidden}>
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
      </div>
    </figure>
  );
}

/** Returns a series in two: as far as it is counted, and the dashed way to its last value. */
const endDashed = (one: Series): Series[] =>
  one.line
    ? [one]
    : [
        { ...one, values: one.values.with(-1, null) },
        { ...one, line: 'dashed', values: one.values.map((value, at) => (at < one.values.length - 2 ? null : value)) },
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

type Colors = (typeof COLORS)['light'];
const colorOf = (line: Drawn, { line: own, before }: Colors): string => (line === 'dotted' ? before : own);

/** Returns the name of each kind of line that is drawn. A chart of one line needs none. */
function linesOf(series: readonly Series[], names: readonly string[], unfinished: boolean, these: string) {
  const lines = series.map(({ name, line = 'solid' }) => ({ name: line === 'solid' ? these : name, line }));
  if (unfinished) lines.push({ name: names.at(-1)!, line: 'dashed' });
  return lines.length > 1 ? lines : [];
}

/** Says which line is which. */
function Legend({ lines, colors }: { lines: readonly { name: string; line: Drawn }[]; colors: Colors }) {
  return (
    <div className={classes.legend}>
      {lines.map(({ name, line }) => (
        <div key={line} className={classes.line}>
          <svg width={26} height={4} aria-hidden>
            <line
              x2={26}
              y1={2}
              y2={2}
              stroke={colorOf(line, colors)}
              strokeWidth={2}
              strokeDasharray={DASHES[line].join(' ')}
            />
          </svg>
          <span>{name}</span>
        </div>
      ))}
    </div>
  );
}

/** Pixels of the axis of figures, and of the widest box of values. */
const AXIS = 64;
const BOX = 200;
/** Pixels of its lines and of the axis of days: it stays above that. */
const LOWEST = 100;

/** The values at the pointer, beside it. */
function Values({
  shown,
  width,
  names,
  series,
}: { shown: Shown; width: number } & Pick<ChartProps, 'names' | 'series'>) {
  const format = useFormatter();
  const isLeft = AXIS + shown.left + BOX > width;
  return (
    <div
      className={classes.values}
      role="status"
      style={{
        top: Math.max(0, Math.min(shown.top - 12, HEIGHT - LOWEST)),
        ...(isLeft ? { right: width - AXIS - shown.left + 12 } : { left: AXIS + shown.left + 12 }),
      }}
    >
      <strong>{names[shown.bucket]}</strong>
      {series.map(({ name, values }) => {
        const value = values[shown.bucket] ?? null;
        return (
          <div key={name}>
            {name}: {value === null ? '–' : format.number(value)}
          </div>
        );
      })}
    </div>
  );
}
