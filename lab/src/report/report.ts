// Prints the results as text.
import { assumptionNames, assumptions } from '../assumptions/assumptions.ts';
import { rollouts, worlds } from '../assumptions/worlds.ts';
import type { Figure, Summary } from '../score/summary.ts';
import type { RuleResult } from './results.ts';
import { list, table } from './table.ts';

export interface About {
  readonly seeds: number;
  readonly users: number;
  readonly days: number;
}

export function report(results: readonly RuleResult[], { seeds, users, days }: About): string {
  const named = Object.keys(results[0]!.worlds);
  const rolledOut = Object.keys(results[0]!.rollouts);
  const installs = results[0]!.all?.installs ?? 0;
  const lines = [
    `${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, ${users} users in a slice, ${days} scored days. ± is half the range over the seeds. "all" has`,
    'the wrong links of all installs together, and the mean of what is found in each world.',
  ];
  if (named.length > 0) {
    lines.push(
      `${installs} installs in ${named.length === 1 ? 'one world' : `${named.length} worlds`}.`,
      ...section('Wrong links per 1,000 installs', results, named, ({ wrong }) => figure(wrong, 2)),
      ...section('Of these, to users who had the app before', results, named, ({ wrongExisting }) =>
        figure(wrongExisting, 2),
      ),
      ...section('Found: due links that arrived, of 100 installs after a tap', results, named, ({ found }) =>
        figure(found, 1),
      ),
      ...section('Repeated links per 1,000 installs', results, named, ({ repeated }) => figure(repeated, 2)),
    );
  }
  if (rolledOut.length > 0) lines.push(...rolloutSection(results, rolledOut));
  lines.push('', 'Rules', '', ...list(results), '', 'Worlds', '', ...list(shown(named, rolledOut)));
  return lines.join('\n');
}

const shown = (named: readonly string[], rolledOut: readonly string[]) =>
  [...worlds, ...rollouts].filter(({ name }) => named.includes(name) || rolledOut.includes(name));

function section(
  title: string,
  results: readonly RuleResult[],
  named: readonly string[],
  cell: (summary: Summary) => string,
): string[] {
  const rows = results.map(({ name, all, worlds }) => [
    name,
    cell(all!),
    ...named.map((world) => cell(worlds[world]!)),
  ]);
  return ['', title, '', ...table(['', 'all', ...named], rows)];
}

/** For each rollout and rule: wrong links on each day, then what was found on each day. */
function rolloutSection(results: readonly RuleResult[], rolledOut: readonly string[]): string[] {
  const days = results[0]!.rollouts[rolledOut[0]!]!.map((_, day) => `day ${day + 1}`);
  const rows = rolledOut.flatMap((world) =>
    results
      .filter(({ isOurs }) => isOurs)
      .map(({ name, rollouts }) => [
        `${world}, ${name}`,
        ...rollouts[world]!.map(({ wrong }) => figure(wrong, 2)),
        ...rollouts[world]!.map(({ found }) => figure(found, 1)),
      ]),
  );
  const title = 'Apps with earlier users: wrong links per 1,000 installs, and found of 100, on the first days';
  return ['', title, '', ...table(['', ...days, ...days], rows)];
}

/** Returns for example `0.58 ±0.21`. */
const figure = ({ value, spread }: Figure, digits: number): string =>
  Number.isFinite(value) ? `${value.toFixed(digits)} ±${spread.toFixed(digits)}` : '–';

/** Prints all assumptions, then the values that differ by world. */
export function assumptionTable(): string {
  const rows = assumptionNames.map((name) => {
    const { value, unit, range, source } = assumptions[name];
    return `${name}: ${value} (${range.join(' to ')}) ${unit}. Source: ${source}.`;
  });
  const differing = [...worlds, ...rollouts].map(({ name, says, values }) => {
    const own = assumptionNames.filter((one) => values[one] !== assumptions[one].value);
    return `${name}: ${says}. ${own.map((one) => `${one} ${values[one]}`).join(', ')}`;
  });
  return [...rows, '', 'Worlds', '', ...differing].join('\n');
}
