// The operator's commands, as one table. Another one is another line here.

import type { Command, Say } from './command.ts';
import { doctor } from './doctor/doctor.ts';
import { dlq } from './letters/dlq.ts';
import { apps } from './manage/apps.ts';
import { domains } from './manage/domains.ts';
import { keys } from './manage/keys.ts';
import { plans } from './manage/plans.ts';
import { pushes } from './manage/pushes.ts';
import { tokens } from './manage/tokens.ts';
import { users } from './manage/users.ts';
import { migrate } from './migrate.ts';
import { UsageError } from './usage-error.ts';

const commands: Readonly<Record<string, Command>> = {
  apps,
  keys,
  domains,
  plans,
  pushes,
  users,
  tokens,
  doctor,
  dlq,
  migrate,
};

const names = Object.keys(commands);
const width = Math.max(...names.map((name) => name.length));
const help = [
  'npm run landfall -- <command> …',
  '',
  ...names.map((name) => `  ${name.padEnd(width)}  ${commands[name]!.says}`),
  '',
  '<command> --help shows how it is used.',
].join('\n');

/**
 * Resolves with the exit code.
 * @param args what stands behind `npm run landfall --`
 */
export async function runCommand(
  [name, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  print: Say,
  note: Say = () => {},
): Promise<number> {
  if (name === undefined || name === '--help' || name === 'help') {
    print(help);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${name}`, help);
  if (!args.includes('--help')) return command.run(args, env, print, note);
  print(command.help);
  return 0;
}
