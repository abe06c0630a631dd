// Reads the command line.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type AssumptionName, assumptionNames } from './assumptions/assumptions.ts';
import { rollouts, subscribers, type WorldSpec, worlds } from './assumptions/worlds.ts';
import { rules } from './matchers/index.ts';
import type { Size } from './world/ground.ts';

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

export interface Options {
  readonly help: boolean;
  readonly assumptions: boolean;
  readonly json: boolean;
  readonly worlds: readonly WorldSpec[];
  readonly rules: readonly string[];
  readonly seeds: number;
  readonly size: Size;
  readonly threads: number;
  readonly vary: readonly AssumptionName[];
}

const WARM_UP_DAYS = 7;

/** Reads the options. Throws an error with a one-sentence message when an option is wrong. */
export function readOptions(args: readonly string[]): Options {
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
  const number = (name: 'seeds' | 'users' | 'days' | 'threads', otherwise: number, min: number, max: number) =>
    numberOf(`--${name}`, values[name], otherwise, min, max);
  const ours = rules.filter(({ isOurs }) => isOurs).map(({ name }) => name);
  const ruleNames = named(
    'rule',
    values.rules,
    rules.map(({ name }) => name),
    { ours },
  );
  const groups = {
    worlds: worlds.map(({ name }) => name),
    subscribers: subscribers.map(({ name }) => name),
    rollouts: rollouts.map(({ name }) => name),
  };
  const worldNames = named(
    'world',
    values.worlds,
    everyWorld.map(({ name }) => name),
    groups,
  );
  const vary = values.vary === '' ? [] : named('assumption', values.vary, assumptionNames, { all: assumptionNames });
  return {
    help: values.help,
    assumptions: values.assumptions,
    json: values.json,
    worlds: everyWorld.filter(({ name }) => worldNames.includes(name)),
    rules: ruleNames,
    seeds: number('seeds', usual.seeds, 1, 1_000),
    size: {
      users: number('users', usual.users, 100, 40_000),
      warmUp: WARM_UP_DAYS,
      days: number('days', usual.days, 1, 14),
    },
    threads: number('threads', availableParallelism(), 1, 64),
    vary,
  };
}

/** Returns the names in a comma-separated list. Without a list, returns all names. */
function named<T extends string>(
  what: string,
  text: string,
  all: readonly T[],
  groups: Readonly<Record<string, readonly T[]>>,
): T[] {
  const wanted = text.split(',').filter(Boolean);
  const names = wanted.flatMap((name): readonly string[] => groups[name] ?? [name]);
  const unknown = names.find((name) => !all.some((known) => known === name));
  if (unknown !== undefined) {
    throw new Error(`There is no ${what} ${unknown}; there are ${[...all, ...Object.keys(groups)].join(', ')}.`);
  }
  return wanted.length === 0 ? [...all] : all.filter((name) => names.includes(name));
}

function numberOf(name: string, text: string | undefined, otherwise: number, min: number, max: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}
