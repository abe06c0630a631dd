import { StartError } from '@landfall/runtime';
import { UsageError } from './command.ts';
import { runCommand } from './commands.ts';

let code = 1;
try {
  const to = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`);
  code = await runCommand(process.argv.slice(2), process.env, to(process.stdout), to(process.stderr));
} catch (error) {
  if (error instanceof UsageError) code = 2;
  console.error(error instanceof StartError ? error.message : error);
}
// A connection to a hanging server must not keep the command alive.
process.exit(code);
