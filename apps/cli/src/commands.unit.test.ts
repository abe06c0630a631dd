import { expect, it } from 'vitest';
import { runCommand } from './commands.ts';
import { UsageError } from './usage-error.ts';

const said = async (...args: string[]) => {
  const lines: string[] = [];
  await runCommand(args, { LANDFALL_DATA: '/nowhere' }, (text) => lines.push(text));
  return lines.join('\n');
};

it.each([[[]], [['--help']], [['help']]])('shows the commands for %o', async (args) => {
  expect(await said(...args)).toMatch(
    /npm run landfall -- <command> …[\s\S]* apps +list, make[\s\S]* doctor +look[\s\S]* dlq +list, show and replay[\s\S]* migrate +bring/,
  );
});

it('shows how a command is used', async () => {
  expect(await said('dlq', '--help')).toContain('dlq replay <group> <place …>');
});

it.each([
  [['sing'], 'There is no command sing. It is used like this'],
  [['toString'], 'There is no command toString'],
  [['dlq'], 'It is used like this'],
  [['dlq', 'sing'], 'It is used like this'],
  [['dlq', 'list', 'a', 'b'], 'It is used like this'],
  [['dlq', 'show', 'a'], 'It is used like this'],
  [['dlq', 'replay', 'a'], 'It is used like this'],
  [['dlq', 'replay', 'a', '0:1', '--all'], 'It is used like this'],
  [['dlq', 'list', '--loud'], "Unknown option '--loud'. It is used like this"],
  [['doctor', '--patience', '0'], '--patience must be a number from 1 to 20. It is used like this'],
  [['migrate', 'now'], 'migrate takes nothing'],
])('says how it is used, of %o', async (args, sentence) => {
  const refused = said(...args);
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(sentence) });
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});

it.each([
  [['migrate'], 'DATABASE_URL is not set'],
  [['dlq', 'list'], 'There are no letters to look for: set KAFKA_BROKERS or DATABASE_URL'],
  [['apps', 'list'], 'There is no token to manage with: set LANDFALL_TOKEN'],
])('refuses %o in a sentence', async (args, sentence) => {
  const refused = said(...args);
  await expect(refused).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining(sentence) });
  await expect(refused).rejects.not.toBeInstanceOf(UsageError);
});
