// What `npm run landfall` runs: the operator's commands.
import { StartError } from '@landfall/runtime';
import { runCommand } from './commands.ts';

try {
  await runCommand(process.argv.slice(2), process.env, (text) => process.stdout.write(`${text}\n`));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
