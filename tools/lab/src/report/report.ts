// The results of a run, by rule and world, and their text.
import { assumptionNames, assumptions } from '../assumptions/assumptions.ts';
import { rollouts, subscribers, type WorldSpec, worlds } from '../assumptions/worlds.ts';
import type { NamedRule } from '../matchers/index.ts';
import type { Job, JobResult } from '../run/job.ts';
import type { Score } from '../score/score.ts';
import { type Figure, type Summary, summarize, summarizeMean } from '../score/summary.ts';

export function resultsOf(jobs: readonly Job[], results: readonly JobResult[], rules: readonly NamedRule[]) {
  const simulated = [...new Set(jobs.map(({ world }) => world))];
  const scoresOf = (rule: string, world: WorldSpec): (readonly Score[])[] =>
    results.filter((_, i) => jobs[i]!.world === world).map((scores) => scores[rule]!);
  return rules.map(({ name, says, isOurs }) => {
    const steady = simulated.filter(({ rollout }) => rollout === undefined);
    const single = new Map(steady.map((world) => [world, scoresOf(name, world).map(([score]) => score!)]));
    const counted = steady.filter(({ isApart }) => !isApart).map((world) => single.get(world)!);
    return {
      name,
      says,
      isOurs,
      /** The mean of the worlds that count for it. Null when there is none. */
      mean: counted.length === 0 ? null : summarizeMean(counted),
      worlds: Object.fromEntries([...single].map(([world, scores]) => [world.name, summarize(scores)])),
      /** For each rollout, one summary for each day. */
      rollouts: Object.fromEntries(
        simulated
          .filter(({ rollout }) => rollout !== undefined)
          .map((world) => [world.name, byDay(scoresOf(name, world))]),
      ),
    };
  });
}
type RuleResult = ReturnType<typeof resultsOf>[number];

/** @param seeds for each seed, a score for each day */
const byDay = (seeds: readonly (readonly Score[])[]): Summary[] =>
  seeds[0]!.map((_, day) => summarize(seeds.map((scores) => scores[day]!)));

interface About {
  readonly seeds: number;
  readonly users: number;
  readonly days: number;
}

export function report(results: readonly RuleResult[], { seeds, users, days }: About): string {
  const named = Object.keys(results[0]!.worlds);
  const rolledOut = Object.keys(results[0]!.rollouts);
  const inMean = worlds.filter(({ name, isApart }) => named.includes(name) && !isApart).map(({ name }) => name);
  const lines = [
    `${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, ${users} users in a slice, ${days} scored days. [ ] holds the true value with 95 %.`,
  ];
  if (inMean.length > 0) {
    lines.push(
      `"mean" is that of the worlds ${inMean.join(', ')}, each with the same weight: ${results[0]!.mean!.installs} installs. "worst" is the worst of them.`,
    );
  }
  const sections: [title: string, of: keyof Omit<Summary, 'installs'>, digits: number][] = [
    ['Wrong links per 1,000 installs', 'wrong', 2],
    ['Of these, to users who had the app before', 'wrongExisting', 2],
    ['Found: due links that arrived, of 100 installs after a tap', 'found', 1],
    ['Repeated links per 1,000 installs', 'repeated', 2],
  ];
  if (named.length > 0) {
    for (const [title, of, digits] of sections) {
      const worst = of === 'found' ? Math.min : Math.max;
      const rows = results.map(({ name, mean, worlds }) => [
        name,
        ...(mean === null
          ? []
          : [figure(mean[of], digits), worst(...inMean.map((world) => worlds[world]![of].value)).toFixed(digits)]),
        ...named.map((world) => figure(worlds[world]![of], digits)),
      ]);
      lines.push('', title, '', ...table(['', ...(inMean.length === 0 ? [] : ['mean', 'worst']), ...named], rows));
    }
  }
  if (rolledOut.length > 0) lines.push(...rolloutSection(results, rolledOut));
  lines.push('', 'Rules', '', ...list(results), '', 'Worlds', '', ...list(shown(named, rolledOut)));
  return lines.join('\n');
}

const shown = (named: readonly string[], rolledOut: readonly string[]) =>
  [...worlds, ...subscribers, ...rollouts].filter(({ name }) => named.includes(name) || rolledOut.includes(name));

/** For each rollout and rule: wrong links on each day, then what was found on each day. */
function rolloutSection(results: readonly RuleResult[], rolledOut: readonly string[]): string[] {
  const days = results[0]!.rollouts[rolledOut[0]!]!.map((_, day) => `day ${day + 1}`);
  const rows = rolledOut.flatMap((world) =>
    results
      .filter(({ isOurs, name }) => isOurs && name !== DEFAULT)
      .map(({ name, rollouts }) => [
        `${world}, ${name}`,
        ...rollouts[world]!.map(({ wrong }) => figure(wrong, 2)),
        ...rollouts[world]!.map(({ found }) => figure(found, 1)),
      ]),
  );
  const title = 'Apps with earlier users: wrong links per 1,000 installs, and found of 100, on the first days';
  return ['', title, '', ...table(['', ...days, ...days], rows)];
}

/** Returns for example `0.58 [0.43, 0.79]`. */
export const figure = ({ value, low, high }: Figure, digits: number): string =>
  Number.isFinite(value) ? `${value.toFixed(digits)} [${low.toFixed(digits)}, ${high.toFixed(digits)}]` : '–';

/** The other rules have this setting in a rollout, too. */
const DEFAULT = 'default';

/** Prints all assumptions, then the values that differ by world. */
export function assumptionTable(): string {
  const rows = assumptionNames.map((name) => {
    const { value, unit, range, source } = assumptions[name];
    return `${name}: ${value} (${range.join(' to ')}) ${unit}. Source: ${source}.`;
  });
  const differing = [...worlds, ...subscribers, ...rollouts].map(({ name, says, values }) => {
    const own = assumptionNames.filter((one) => values[one] !== assumptions[one].value);
    return `${name}: ${says}. ${own.map((one) => `${one} ${values[one]}`).join(', ')}`;
  });
  return [...rows, '', 'Worlds', '', ...differing].join('\n');
}

/** Returns lines with aligned columns: the first one to the left, the others to the right. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd();
  return all.map(line);
}

/** Returns lines with a name and a text each. */
function list(entries: readonly { readonly name: string; readonly says: string }[]): string[] {
  const width = Math.max(...entries.map(({ name }) => name.length));
  return entries.map(({ name, says }) => `${name.padEnd(width)}  ${says}`);
}
