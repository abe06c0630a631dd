// Lines over time. A library of charts is larger than this page.
import { useFormatter } from 'use-intl';
import { topOf } from '../parts/chart-axis.ts';

interface ChartProps {
  figures: {
    interval: string;
    timeZone: string;
    buckets: { from: string; to: string }[];
    values: number[];
    previous: { values: number[] } | null;
  };
  name: string;
  /** The name of the days before. */
  before: string;
}

const WIDTH = 800;
const HEIGHT = 200;

export function Chart({ figures: { interval, timeZone, buckets, values, previous }, name, before }: ChartProps) {
  const format = useFormatter();
  const time = interval === 'hour' ? ({ hour: 'numeric', minute: '2-digit' } as const) : {};
  const names = buckets.map(({ from }) =>
    format.dateTime(new Date(from), { month: 'short', day: 'numeric', ...time, timeZone }),
  );
  const top = topOf(Math.max(0, ...values, ...(previous?.values ?? [])));
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = (line: readonly number[], from = 0) =>
    line
      .slice(from, values.length)
      .map((value, at) => `${((from + at) * step).toFixed(1)},${(HEIGHT - (value / top) * HEIGHT).toFixed(1)}`)
      .join(' ');
  // The last bucket is still counted, so the way to it is dashed.
  const unfinished = new Date(buckets.at(-1)?.to ?? 0) > new Date();
  const saidOf = (at: number) =>
    `${names[at]}: ${format.number(values[at]!)}${previous ? ` (${before}: ${format.number(previous.values[at] ?? 0)})` : ''}`;
  return (
    <figure className="chart">
      <div className="marks" aria-hidden="true">
        {[top, top / 2, 0].map((mark) => (
          <span key={mark}>{Number.isInteger(mark) && format.number(mark)}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {[0, 0.5, 1].map((part) => (
          <line key={part} x1={0} x2={WIDTH} y1={HEIGHT * part} y2={HEIGHT * part} className="grid" />
        ))}
        {previous && <polyline points={points(previous.values)} className="line faint" />}
        <polyline points={points(unfinished ? values.slice(0, -1) : values)} className="line" />
        {unfinished && <polyline points={points(values, Math.max(0, values.length - 2))} className="line unfinished" />}
        {values.map((_, at) => (
          <rect key={buckets[at]!.from} x={(at - 0.5) * step} width={step} height={HEIGHT} className="bucket">
            <title>{saidOf(at)}</title>
          </rect>
        ))}
      </svg>
      <div className="axis" aria-hidden="true">
        <span>{names[0]}</span>
        <span>{names.at(-1)}</span>
      </div>
      {/* For people who do not see the lines. */}
      <table className="hidden">
        <caption>{name}</caption>
        <tbody>
          {values.map((value, at) => (
            <tr key={buckets[at]!.from}>
              <th scope="row">{names[at]}</th>
              <td>{format.number(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
