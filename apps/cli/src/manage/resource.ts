// A command over the management API: what it can do is a table of actions, and how it is called and answers is here.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { reasonOf, UsageError } from '../usage-error.ts';
import { type Api, openApi } from './api.ts';

export interface Given {
  /** What stands behind the action, as many as it takes. */
  places: readonly string[];
  /** Those that were given with a value. */
  text: Readonly<Record<string, string>>;
  /** Whether one without a value was given. */
  has(name: string): boolean;
  /** An option that cannot be meant so. */
  wrong(reason: string): UsageError;
}

export interface Shown {
  /** With --json: what the API answered. */
  json: unknown;
  /** A person's lines. */
  lines: readonly string[];
  /** What is shown once: alone on standard output, so that a script takes it from there. The lines go beside it. */
  once?: string;
}

export interface Action {
  /** As `--help` shows it: `create <name> --subdomain <label>`. What stands in angle brackets by itself is a place. */
  usage: string;
  says: string;
  options?: ParseArgsOptionsConfig;
  /** Options that must be there. */
  needs?: readonly string[];
  run(given: Given, api: Api): Promise<Shown>;
}

/** @param name of the command */
export function resource(name: string, says: string, actions: Readonly<Record<string, Action>>): Command {
  const help = helpOf(name, says, actions);
  return {
    says,
    help,
    async run([action = '', ...args], env, print, note) {
      const chosen = Object.hasOwn(actions, action) ? actions[action]! : undefined;
      if (!chosen) throw new UsageError(action === '' ? undefined : `There is no ${name} ${action}`, help);
      const { json, ...given } = parsed(chosen, args, help);
      const shown = await chosen.run(given, await openApi(env));
      if (json) print(JSON.stringify(shown.json, null, 2));
      else if (shown.once === undefined) print(shown.lines.join('\n'));
      else {
        print(shown.once);
        note(shown.lines.join('\n'));
      }
      return 0;
    },
  };
}

const withoutOptions = (usage: string): string => usage.split(/ \[?--/)[0]!;
const placesOf = (usage: string): string[] => withoutOptions(usage).match(/<[^>]+>/g) ?? [];

function parsed({ usage, options = {}, needs = [] }: Action, args: readonly string[], help: string) {
  const wrong = (reason: string) => new UsageError(reason, help);
  const { values, places } = read(args, { ...options, json: { type: 'boolean' } }, wrong);
  const wanted = placesOf(usage);
  if (places.length > wanted.length) throw wrong(`"${places[wanted.length]}" is one too many`);
  if (places.length < wanted.length) throw wrong(`${wanted[places.length]} is missing`);
  const missing = needs.find((option) => values.get(option) === undefined);
  if (missing) throw wrong(`--${missing} is missing`);
  const text = Object.fromEntries(
    [...values].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return {
    places,
    text,
    has: (option: string) => values.get(option) === true,
    wrong,
    json: values.get('json') === true,
  };
}

function read(args: readonly string[], options: ParseArgsOptionsConfig, wrong: Given['wrong']) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: new Map<string, unknown>(Object.entries(values)), places: positionals };
  } catch (error) {
    throw wrong(reasonOf(error));
  }
}

const WIDE = 46;

function helpOf(name: string, says: string, actions: Readonly<Record<string, Action>>): string {
  const lines = Object.values(actions).map(({ usage, says }) => {
    const call = `  ${name} ${usage}`;
    return call.length <= WIDE ? `${call.padEnd(WIDE + 2)}${says}` : `${call}\n${' '.repeat(WIDE + 2)}${says}`;
  });
  return `${says[0]!.toUpperCase()}${says.slice(1)}.

${lines.join('\n')}

--json shows the answer as it came. <app> is the id of an app or its subdomain. It asks the gateway at LANDFALL_URL, else
PUBLIC_URL, else http://localhost:8080, with LANDFALL_TOKEN or OWNER_TOKEN; beside npm start and npm run stack it finds both by
itself in LANDFALL_DATA. Each variable may be given as NAME_FILE.`;
}
