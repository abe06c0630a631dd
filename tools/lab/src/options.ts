// Reads the command line.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { assumptionNames } from './assumptions/assumptions.ts';
import { rollouts, subscribers, worlds } from './assumptions/worlds.ts';
import { rules } from './matchers/index.ts';

const everyWorld = [...worlds, ...subscribers, ...rollouts];
const listed = (all: readonly { name: string; says: string }[]) =>
  all.map(({ name, says }) => `      ${name.padEnd(14)} ${says}`).join('\n');

export const help = `Simulates people, phones, taps and installs, and prints what each rule of matching gives in each world:
wrong links per 1,000 installs, and how many of the due links are found. The same seed prints the same bytes.

  npm run lab -- [options]

  --short           fewer seeds and a smaller slice, for a look in a few minutes
  --worlds NAMES    only these, comma-separated; groups: "worlds", "subscribers", "rollouts" (all):
${listed(everyWorld)}
  --rules NAMES     only these, comma-separated; "ours" are all of Landfall (all):
${listed(rules)}
  --seeds N         runs of each world, with the seeds 1 to N (10, short: 3)
  --users N         users of the app at the begin, in the slice that is simulated (10000, short: 6000)
  --days N          scored days, after 7 days of warm-up (7, short: 5); a few worlds have their own
  --threads N       worlds that are simulated at a time (one for each core)
  --vary NAMES      instead: what guesses are worth. Runs the world home with the lowest and the highest value of
                    each assumption, comma-separated, or "all"
  --assumptions     instead: print all assumptions with their sources
  --json            print JSON
  --help            show this`;

const WARM_UP_DAYS = 7;

/** Reads the options. Throws an error with a one-sentence message when an option is wrong. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      worlds: { type: 'string', default: '' },
      rules: { type: 'string', default: '' },
      seeds: { type: 'string' },
      users: { type: 'string' },
      days: { type: 'string' },
      threads: { type: 'string' },
      vary: { type: 'string', default: '' },
      assumptions: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const usual = values.short ? { seeds: 3, users: 6_000, days: 5 } : { seeds: 10, users: 10_000, days: 7 };
  const number = (name: 'seeds' | 'users' | 'days' | 'threads', otherwise: number, min: number, max: number) => {
    const value = Number(values[name] ?? otherwise);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(`--${name} must be a whole number from ${min} to ${max}.`);
  };
  const ours = rules.filter(({ isOurs }) => isOurs);
  const guesses = assumptionNames.map((name) => ({ name }));
  return {
    help: values.help,
    assumptions: values.assumptions,
    json: values.json,
    worlds: chosen('world', values.worlds, everyWorld, { worlds, subscribers, rollouts }),
    rules: namesOf(chosen('rule', values.rules, rules, { ours })),
    seeds: number('seeds', usual.seeds, 1, 1_000),
    size: {
      users: number('users', usual.users, 100, 40_000),
      warmUp: WARM_UP_DAYS,
      days: number('days', usual.days, 1, 14),
    },
    threads: number('threads', availableParallelism(), 1, 64),
    vary: values.vary === '' ? [] : namesOf(chosen('assumption', values.vary, guesses, { all: guesses })),
  };
}
export type Options = ReturnType<typeof readOptions>;

/** Returns those whose names are in a comma-separated list. Without a list, returns all. */
function chosen<T extends { readonly name: string }>(
  what: string,
  text: string,
  all: readonly T[],
  groups: Readonly<Record<string, readonly T[]>>,
): readonly T[] {
  const wanted = text.split(',').filter(Boolean);
  if (wanted.length === 0) return all;
  const names = wanted.flatMap((name) => (groups[name] ? namesOf(groups[name]) : [name]));
  const known: readonly string[] = namesOf(all);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return all.filter(({ name }) => names.includes(name));
  throw new Error(`There is no ${what} ${unknown}; there are ${[...known, ...Object.keys(groups)].join(', ')}.`);
}

const namesOf = <N extends string>(all: readonly { readonly name: N }[]): N[] => all.map(({ name }) => name);
