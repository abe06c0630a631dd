// Builds the table. Each scenario gets its line as soon as it is measured.
import type { Measured } from './load/load.ts';
import type { Scenario } from './scenarios.ts';

export interface Result {
  scenario: Scenario;
  measured: Measured;
  /**
   * Milliseconds from the end of the load until everything is stored. Undefined when the scenario does not measure
   * this.
   */
  storedMs: number | undefined;
  /** The two runs of hello: before and after the scenario. */
  hello: readonly [Measured, Measured];
}

const MEMORY_TARGET = 350e6;
/** The maximum number of milliseconds from the end of the load until everything is stored. */
const STORED_MS = 2_000;

export const ratioOf = ({ measured, hello }: Result): number => measured.perSecond / mean(rates(hello));

/** Returns the ratio as if only the CPU of the server limited it. Other work on the machine affects this ratio less. */
function byCpu({ measured, hello }: Result): string {
  const ratio = mean(hello.map(({ cpu }) => cpu)) / measured.cpu;
  return Number.isFinite(ratio) ? ratio.toFixed(3) : '';
}

const rates = (runs: readonly Measured[]): number[] => runs.map(({ perSecond }) => perSecond);
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

export const count = (n: number): string => Math.round(n).toLocaleString('en');
/** Returns a line of a table. */
export const line = (title: string, ...cells: readonly string[]): string =>
  [title.padEnd(44), ...cells.map((cell) => cell.padStart(10))].join(' ').trimEnd();

export const heading = (): string => line('', 'requests/s', 'p50 ms', 'p99 ms', 'hello/s', 'ratio', 'by CPU', 'target');

export function row(result: Result): string {
  const { scenario, measured, hello } = result;
  const figures = [
    count(measured.perSecond),
    measured.p50.toFixed(1),
    measured.p99.toFixed(1),
    count(mean(rates(hello))),
    ratioOf(result).toFixed(3),
    byCpu(result),
    scenario.target?.toFixed(2) ?? '',
  ];
  return `${line(scenario.title, ...figures)}  ${verdict(result)}`;
}

export function isGood({ scenario, measured, ...rest }: Result): boolean {
  const { target = 0 } = scenario;
  const { p50 = Number.POSITIVE_INFINITY } = scenario;
  const isFast = ratioOf({ scenario, measured, ...rest }) >= target && measured.p50 <= p50;
  return measured.answers > 0 && measured.wrong === 0 && isFast && (rest.storedMs ?? 0) <= STORED_MS;
}

function verdict(result: Result): string {
  const { answers, wrong, firstWrong } = result.measured;
  if (answers === 0) return 'no answers';
  if (wrong > 0) return `${count(wrong)} wrong answers, the first: ${JSON.stringify(firstWrong?.slice(0, 400))}`;
  const { target, p50 } = result.scenario;
  if (target === undefined && p50 === undefined) return '';
  const stored = result.storedMs === undefined ? '' : `, all stored ${Math.round(result.storedMs)} ms after the end`;
  return `${isGood(result) ? 'ok' : 'too slow'}${p50 === undefined ? '' : `, p50 at most ${p50} ms`}${stored}`;
}

/** Returns the CPU time for one request in each process. */
export function cpuRow({ measured: { cpuOf } }: Result): string {
  const each = Object.entries(cpuOf).map(([name, ms]) => `${name} ${Math.round(ms * 1000)}`);
  const sum = Object.values(cpuOf).reduce((total, ms) => total + ms, 0);
  return `    µs of CPU a request: ${each.join(', ')}; together ${Math.round(sum * 1000)}`;
}

export const isSmall = (memory: number): boolean => memory < MEMORY_TARGET;

export const memoryRow = (memory: number): string =>
  `${line("memory of the product's process, MB", count(memory / 1e6), '', '', '', '', '', `< ${count(MEMORY_TARGET / 1e6)}`)}  ${isSmall(memory) ? 'ok' : 'too much'}`;

/** Returns notes that explain the figures. */
export function notes(results: readonly Result[]): string[] {
  const [first, ...others] = results.filter(({ scenario }) => scenario.pending && scenario.target !== undefined);
  const compared = others.map(
    (result) => `${result.scenario.title}: ${(ratioOf(result) / ratioOf(first!)).toFixed(2)}`,
  );
  const share = Math.max(...results.flatMap(({ measured, hello }) => [measured, ...hello].map(({ ownCpu }) => ownCpu)));
  const unrest = Math.max(
    ...results.map(({ hello: [a, b] }) => Math.abs(a.perSecond - b.perSecond) / mean([a.perSecond, b.perSecond])),
  );
  return [
    ...(compared.length > 0 ? [`As a share of "${first!.scenario.title}": ${compared.join('; ')}.`] : []),
    'By CPU: what the ratio would be if only the CPU of the two Node processes counted. Other load moves it less.',
    `The load generator took up to ${Math.round(share * 100)} % of a core.`,
    `Before and after a scenario, hello differed by up to ${Math.round(unrest * 100)} %.`,
  ];
}
