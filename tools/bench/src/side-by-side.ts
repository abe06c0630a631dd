// `npm run bench -- --against FOLDER`: two checkouts side by side, for the question whether a change made something
// slower. The load of a machine changes within seconds, so the two have the load in turns of a second. And one process
// may be a tenth slower than another of the same code, so every round starts both anew.
import path from 'node:path';
import { load, type Measured } from './load/load.ts';
import { fillPendingLinks } from './pending-links.ts';
import type { Product } from './product/product.ts';
import type { Site } from './product/site.ts';
import { line } from './report.ts';
import type { Scenario } from './scenarios.ts';

/** Seconds of one turn. */
const TURN = 1;
/** Turns of each side in one round: some to get warm, and those that count. */
const WARM_UP_TURNS = 3;
const TURNS = 8;

export interface Comparison {
  /** The folder of the other checkout. */
  against: string;
  scenarios: readonly Scenario[];
  rounds: number;
  /** Starts the product of a checkout, and gets it warm. Undefined: of this one. */
  start(checkout: string | undefined): Promise<Site>;
}

interface Side {
  name: string;
  site: Site;
  asks: ReturnType<Scenario['asks']>;
}

/** The result of one side in one round. */
interface Round {
  name: string;
  perSecond: number;
  /** Microseconds of CPU for one response, in each process and together. */
  cpu: Readonly<Record<string, number>>;
  wrong: Measured | undefined;
}

/** Prints a table. Returns the exit code: 1 when an answer was wrong. */
export async function compare({ against, scenarios, rounds, start }: Comparison): Promise<number> {
  const sites = [
    { name: 'here', site: await start(undefined) },
    { name: 'there', site: await start(path.resolve(against)) },
  ];
  console.log(line(`${rounds} rounds`, 'here', 'there', 'ratio', 'half', 'all'));
  let pending: Scenario['pending'];
  let isRight = true;
  for (const scenario of scenarios) {
    const seconds = rounds * (WARM_UP_TURNS + TURNS) * TURN;
    const sides: Side[] = [];
    for (const { name, site } of sites) {
      if (scenario.pending && scenario.pending !== pending) await fillPendingLinks(site, scenario.pending);
      sides.push({ name, site, asks: await scenario.asks(site, seconds) });
    }
    pending = scenario.pending ?? pending;
    const done: Round[][] = [];
    // The one that starts first, and has the first turn, is the other one each time.
    for (let round = 0; round < rounds; round++)
      done.push(
        round % 2 === 0 ? await measure(sides, scenario) : (await measure(sides.toReversed(), scenario)).reverse(),
      );
    const [here, there] = [0, 1].map((side) => done.map((round) => round[side]!));
    console.log(scenario.title);
    for (const text of rows(here!, there!)) console.log(text);
    for (const { name, wrong } of [...here!, ...there!]) {
      if (!wrong) continue;
      console.log(`    wrong answers ${name}, the first: ${JSON.stringify(wrong.firstWrong?.slice(0, 400))}`);
      isRight = false;
    }
  }
  console.log('\nA ratio is here / there in one round: the median of the rounds, their middle half, and all of them.');
  return isRight ? 0 : 1;
}

/** Runs one round: starts the products, and gives them the load in turn. */
async function measure(sides: readonly Side[], { settings, connections }: Scenario): Promise<Round[]> {
  for (const { site } of sides) await site.product.restart(settings ?? {});
  const runs = sides.map((side) => ({ ...side, cpu: cpuOf(side.site.product), measured: [] as Measured[] }));
  for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn++) {
    for (const run of turn % 2 === 0 ? runs : runs.toReversed()) {
      if (turn === WARM_UP_TURNS) run.cpu = cpuOf(run.site.product);
      const { product } = run.site;
      const given = { asks: await run.asks, warmUp: 0, seconds: TURN, ...(connections && { connections }) };
      const measured = await load(product, given);
      if (turn >= WARM_UP_TURNS || measured.wrong > 0) run.measured.push(measured);
    }
  }
  return runs.map(({ name, site, cpu, measured }) => {
    // This includes the work after an answer, such as its counts: a side does it while the other has the load.
    const used = cpuOf(site.product);
    const answers = sum(measured.map((one) => one.answers));
    const each = Object.keys(used).map((name) => [name, (1e6 * (used[name]! - cpu[name]!)) / answers]);
    return {
      name,
      perSecond: sum(measured.map((one) => one.perSecond)) / measured.length,
      cpu: Object.fromEntries(each),
      wrong: measured.find(({ wrong }) => wrong > 0),
    };
  });
}

/** Returns the seconds of CPU that each process has used, and all together. */
function cpuOf(product: Product): Readonly<Record<string, number>> {
  const each = product.cpuByProcess();
  return { ...each, together: sum(Object.values(each)) };
}

function rows(here: readonly Round[], there: readonly Round[]): string[] {
  const row = (what: string, of: (round: Round) => number) => {
    const ratios = sorted(here.map((round, at) => of(round) / of(there[at]!)));
    const ratio = (share: number) => at(ratios, share).toFixed(2);
    const median = (rounds: readonly Round[]) => Math.round(at(sorted(rounds.map(of)), 0.5)).toLocaleString('en');
    const spread = [`${ratio(0.25)}–${ratio(0.75)}`, `${ratio(0)}–${ratio(1)}`];
    return line(`  ${what}`, median(here), median(there), ratio(0.5), ...spread);
  };
  return [
    row('requests/s', ({ perSecond }) => perSecond),
    ...Object.keys(here[0]!.cpu).map((name) => row(`µs of CPU a request: ${name}`, ({ cpu }) => cpu[name] ?? 0)),
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const at = (numbers: readonly number[], share: number): number => numbers[Math.round(share * (numbers.length - 1))]!;
