import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { UsageError, usageOf } from './command.ts';
import { createProgram, runCommand } from './commands.ts';

const said = async (...args: string[]) => {
  const lines: string[] = [];
  await runCommand(args, { LANDFALL_DATA: '/nowhere' }, (text) => lines.push(text));
  return lines.join('\n');
};

it.each([[[]], [['--help']], [['help']]])('shows the commands for %o', async (args) => {
  expect(await said(...args)).toMatch(
    /npm run landfall --[\s\S]* apps +List, make[\s\S]* doctor +Look[\s\S]* dlq +List, show, replay and drop[\s\S]* migrate +Bring/,
  );
});

it('shows how a command is used', async () => {
  expect(await said('dlq', '--help')).toContain('dlq replay <group> [place …] [--all]');
});

it('has a place in the documentation for everything that it can do, and for nothing else', () => {
  const file = path.resolve(import.meta.dirname, '../../../docs/reference/command-line.md');
  const [, table = ''] = /\| Command \| Effect \|\n(.*?)\n\n/s.exec(readFileSync(file, 'utf8'))!;
  const documented = table.split('\n').flatMap((row) => {
    const [call = ''] = row.slice(2).split(' | ');
    return [...call.replaceAll('\\|', '|').matchAll(/`(.+?)`/g)].map(([, text]) => text);
  });
  const calls = ({ commands }: Command, before = ''): string[] =>
    commands.flatMap((command) =>
      command.commands.length > 0 ? calls(command, `${before}${command.name()} `) : [`${before}${usageOf(command)}`],
    );
  const program = createProgram({ env: {}, print: () => {}, note: () => {}, exitCode: () => {} });
  expect(documented.sort()).toEqual(calls(program).sort());
});

it.each([
  [['celebrate'], "Unknown command 'celebrate'. It is used like this"],
  [['toString'], "Unknown command 'toString'"],
  [['dlq'], 'It is used like this'],
  [['dlq', 'sing'], "Unknown command 'sing'"],
  [['dlq', 'list', 'a', 'b'], "Too many arguments for 'list'"],
  [['dlq', 'show', 'a'], "Missing required argument 'place'"],
  [['dlq', 'replay', 'a'], 'A place, or --all, is missing. It is used like this'],
  [['dlq', 'replay', 'a', '0:1', '--all'], '--all and places exclude each other. It is used like this'],
  [['dlq', 'list', '--loud'], "Unknown option '--loud'. It is used like this"],
  [['doctor', '--patience', '0'], 'It must be a number from 1 to 20. It is used like this'],
  [['migrate', 'now'], "Too many arguments for 'migrate'"],
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
