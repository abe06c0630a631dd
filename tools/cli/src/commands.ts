import { Command, CommanderError } from 'commander';
import { addAnalytics } from './analytics/command.ts';
import { addDemo } from './analytics/demo.ts';
import { addAppUsers } from './app-users/command.ts';
import { addBackup } from './backup/command.ts';
import { type AddCommand, type Surroundings, UsageError, usageOf } from './command.ts';
import { addDoctor } from './doctor/command.ts';
import { addDlq } from './letters/dlq.ts';
import { addApps, addPlans } from './manage/apps.ts';
import { addDomains } from './manage/domains.ts';
import { addFind } from './manage/find.ts';
import { addKeys } from './manage/keys.ts';
import { addLink } from './manage/link.ts';
import { addMatching } from './manage/matching.ts';
import { addTokens, addUsers } from './manage/people.ts';
import { addPushes } from './manage/pushes.ts';
import { addMigrate } from './migrate.ts';

const commands: readonly AddCommand[] = [
  addApps,
  addKeys,
  addDomains,
  addLink,
  addFind,
  addPlans,
  addMatching,
  addPushes,
  addUsers,
  addAppUsers,
  addTokens,
  addDoctor,
  addDlq,
  addAnalytics,
  addDemo,
  addBackup,
  addMigrate,
];

type Write = (text: string) => void;

/** Resolves with the exit code. Throws {@link UsageError} for a call that is not valid, else a StartError. */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  print: Write,
  note: Write = () => {},
): Promise<number> {
  let code = 0;
  const program = createProgram({
    env,
    print,
    note,
    exitCode: (given) => {
      code = given;
    },
  });
  const words = args.length === 0 ? ['--help'] : args;
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const reason = error.code === 'commander.help' ? undefined : error.message.replace(/^error: /, '');
    throw new UsageError(reason, namedBy(words, program).helpInformation().trimEnd());
  }
}

/** Makes the program without running a command. Help and the documentation use it. */
export function createProgram(surroundings: Surroundings): Command {
  const program = new Command('npm run landfall --')
    .description("The operator's commands.")
    .exitOverride()
    .configureOutput({ writeOut: (text) => surroundings.print(text.trimEnd()), writeErr: () => {} })
    .configureHelp({
      helpWidth: 120,
      subcommandTerm: (command) =>
        command.parent?.parent ? `${command.parent.name()} ${usageOf(command)}` : command.name(),
      styleSubcommandTerm: (text) => text,
    });
  for (const add of commands) add(program, surroundings);
  return program;
}

/** Returns the command that the words name. Stops at the first word that names no command. */
function namedBy(words: readonly string[], program: Command): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) break;
    command = next;
  }
  return command;
}
