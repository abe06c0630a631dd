// The operator's commands, as one table. Another one is another line here.
import { StartError } from '@landfall/runtime';
import { dlq } from './dlq.ts';

export interface Command {
  /** In the list of commands. */
  says: string;
  /** What `--help` prints. */
  help: string;
  /** Throws a StartError with a sentence when it cannot be done. */
  run(args: readonly string[], env: NodeJS.ProcessEnv, print: (text: string) => void): Promise<void>;
}

const commands: Readonly<Record<string, Command>> = { dlq };

const names = Object.keys(commands);
const width = Math.max(...names.map((name) => name.length));
const help = [
  'npm run landfall -- <command> …',
  '',
  ...names.map((name) => `  ${name.padEnd(width)}  ${commands[name]!.says}`),
  '',
  '<command> --help shows how it is used.',
].join('\n');

/** @param args what stands behind `npm run landfall --` */
export async function runCommand(
  [name, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<void> {
  if (name === undefined || name === '--help' || name === 'help') return print(help);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new StartError(`There is no command ${name}: there is ${names.join(', ')}.`);
  if (args.includes('--help')) return print(command.help);
  await command.run(args, env, print);
}
