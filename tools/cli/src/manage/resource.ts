// A command that uses the management API is a table of actions. This file runs the actions and prints their answers.
import { StartError } from '@landfall/runtime';
import { type Command, Option } from 'commander';
import type { AddCommand, Surroundings } from '../command.ts';
import { type Api, findApp, openApi } from './api.ts';

export interface Given {
  places: readonly string[];
  /** The options that have a value. */
  text: Readonly<Record<string, string>>;
  /** Returns whether an option without a value was given. */
  has(name: string): boolean;
  /** Ends the call with an error, because an argument or an option is not valid. */
  wrong(reason: string): never;
}

export interface Shown {
  /** The answer of the API, for --json. */
  json: unknown;
  lines: readonly string[];
  /** A secret that is shown once, alone on standard output for scripts. The lines then go to standard error. */
  once?: string;
}

export interface Action {
  name: string;
  /** The arguments in the notation of commander: `<name>` is required. */
  places?: readonly string[];
  description: string;
  options?: readonly Option[];
  run(given: Given, api: Api): Promise<Shown>;
}

/** Not required: `--team <id>`, or `--all` without a value. */
export const option = (flags: string, description: string): Option => new Option(flags, description);

export const needed = (flags: string, description: string): Option => option(flags, description).makeOptionMandatory();

export const ofApp: Option = needed('--app <app>', 'the id of an app, or its subdomain');

const WHERE = `
--json shows the answer as it came. <app> is the id of an app or its subdomain. The command asks the gateway at LANDFALL_URL,
else PUBLIC_URL, else http://localhost:8080, with LANDFALL_TOKEN or OWNER_TOKEN. Beside npm start and npm run stack it finds
both by itself in LANDFALL_DATA. Each variable may be given as NAME_FILE.`;

/** The app of {@link ofApp}, in the path of a request. */
export const appOf = async (api: Api, { text }: Given) => ({ appId: (await findApp(api, text.app!)).id });

export function resource(name: string, description: string, actions: readonly Action[]): AddCommand {
  return (program, surroundings) => {
    const command = program.command(name).description(description).helpCommand(false).addHelpText('after', WHERE);
    for (const action of actions) addAction(command, action, surroundings);
  };
}

/** A command that is one action. */
export const alone =
  (action: Action): AddCommand =>
  (program, surroundings) =>
    void addAction(program, action, surroundings).addHelpText('after', WHERE);

function addAction(to: Command, asked: Action, { env, print, note }: Surroundings): Command {
  const { name, places = [], description, options = [], run } = asked;
  const action = to.command(name).description(description).option('--json', 'show the answer as it came');
  for (const place of places) action.argument(place);
  for (const one of options) action.addOption(one);
  return action.action(async () => {
    const { json, ...given } = givenTo(action);
    const shown = await run(given, await openApi(env)).catch(told);
    if (json) print(JSON.stringify(shown.json, null, 2));
    else if (shown.once === undefined) print(shown.lines.join('\n'));
    else {
      print(shown.once);
      note(shown.lines.join('\n'));
    }
  });
}

/** Types do not check an answer. A gateway of another version may lack a field that a command shows. */
function told(error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  throw new StartError(
    `The gateway answered something unknown (${error.message}): is it of the version of this command?`,
  );
}

function givenTo(action: Command): Given & { json: boolean } {
  const options = action.opts<Record<string, string | boolean>>();
  return {
    places: action.args,
    text: Object.fromEntries(
      Object.entries(options).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    has: (name) => options[name] === true,
    wrong: (reason) => action.error(reason),
    json: options.json === true,
  };
}
