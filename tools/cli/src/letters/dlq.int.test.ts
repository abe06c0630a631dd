// The dead letters of the one-process product.
import { randomUUID } from 'node:crypto';
import { applyMigrations, connect, type Database, deadLetterSink } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { runCommand } from '../commands.ts';

let own: TestDatabase;
let database: Database;
const ids = [randomUUID(), randomUUID()];
beforeAll(async () => {
  own = await createTestDatabase(inject('databaseServerUrl'));
  await applyMigrations(own.url);
  database = connect({ url: own.url, max: 1 });
  const keep = deadLetterSink(database);
  const letter = { key: 'k', reason: 'Error: broken', attempts: 3, messageId: randomUUID(), at: new Date() };
  await keep({ id: ids[0]!, group: 'link.commands', message: 'CreateLink', data: { slug: 'a' }, ...letter });
  await keep({ id: ids[1]!, group: 'taps', message: 'LinkClicked', data: { linkId: 'b' }, ...letter });
});
afterAll(async () => {
  await database?.close();
  await own?.drop();
});

const dlq = async (...args: string[]) => {
  const lines: string[] = [];
  await runCommand(['dlq', ...args], { DATABASE_URL: own.url }, (text) => lines.push(text));
  return lines.join('\n');
};

it('are listed, of all groups or of one', async () => {
  expect(JSON.parse(await dlq('list', '--json'))).toMatchObject([
    { group: 'link.commands', place: ids[0], message: 'CreateLink', replayed: false },
    { group: 'taps', place: ids[1] },
  ]);
  expect(await dlq('list', 'taps')).toMatch(new RegExp(`^GROUP.*\ntaps +${ids[1]} .* LinkClicked .* Error: broken$`));
});

it('are shown', async () => {
  expect(await dlq('show', 'taps', ids[1]!)).toMatch(/message +LinkClicked[\s\S]*data\n\{\n {2}"linkId": "b"\n\}$/);
});

it('are dropped once, and stay with --all', async () => {
  // No letter is dropped when one place is wrong.
  await expect(dlq('drop', 'taps', ids[1]!, 'none')).rejects.toThrow('There is no letter at none of taps');
  expect(await dlq('drop', 'taps', ids[1]!)).toMatch(
    new RegExp(`^Dropped 1 dead letter of taps:\nGROUP.*\ntaps +${ids[1]} .* LinkClicked .*$`),
  );
  expect(await dlq('list', 'taps')).toBe('No dead letters.\n1 more was replayed or dropped: --all shows it, too.');
  expect(JSON.parse(await dlq('list', 'taps', '--all', '--json'))).toMatchObject([{ place: ids[1], dropped: true }]);
  expect(await dlq('drop', 'taps', ids[1]!)).toBe('Dropped 0 dead letters of taps.');
  expect(await dlq('drop', 'taps', '--all')).toBe('Dropped 0 dead letters of taps.');
  expect(await dlq('list')).toMatch(/^GROUP.*\nlink\.commands .*\n1 more/);
  expect(await dlq('drop', 'link.commands', '--all')).toMatch(/^Dropped 1 dead letter of link\.commands:\n/);
});

it.each([
  [['list', 'none'], 'There is no group none with dead letters: there is link.commands, taps.'],
  [['show', 'taps', 'none'], 'There is no letter at none of taps'],
  [['replay', 'taps', '--all'], 'In one process only the running Landfall can replay'],
])('refuses %o in a sentence', async (args, sentence) => {
  await expect(dlq(...args)).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining(sentence) });
});

it('says when there is no such database', async () => {
  const asked = runCommand(['dlq', 'list'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }, () => {});
  await expect(asked).rejects.toThrow('The database does not show its dead letters: ');
});
