import { expect, it } from 'vitest';
import { runCommand } from './commands.ts';

const said = async (...args: string[]) => {
  const lines: string[] = [];
  await runCommand(args, { LANDFALL_DATA: '/nowhere' }, (text) => lines.push(text));
  return lines.join('\n');
};

it.each([[[]], [['--help']], [['help']]])('shows the commands for %o', async (args) => {
  expect(await said(...args)).toMatch(/npm run landfall -- <command> …[\s\S]* dlq {2}list, show and replay/);
});

it('shows how a command is used', async () => {
  expect(await said('dlq', '--help')).toContain('dlq replay <group> <place …>');
});

it.each([
  [['sing'], 'There is no command sing: there is dlq.'],
  [['toString'], 'There is no command toString'],
  [['dlq'], 'It is used like this'],
  [['dlq', 'sing'], 'It is used like this'],
  [['dlq', 'list', 'a', 'b'], 'It is used like this'],
  [['dlq', 'show', 'a'], 'It is used like this'],
  [['dlq', 'replay', 'a'], 'It is used like this'],
  [['dlq', 'replay', 'a', '0:1', '--all'], 'It is used like this'],
  [['dlq', 'list', '--loud'], "Unknown option '--loud'. It is used like this"],
  [['dlq', 'list'], 'There are no letters to look for: set KAFKA_BROKERS or DATABASE_URL'],
])('refuses %o in a sentence', async (args, sentence) => {
  await expect(said(...args)).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining(sentence) });
});
