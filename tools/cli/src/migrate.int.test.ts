// Migrations that an operator's command runs before any service starts.
import { connect } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { runCommand } from './commands.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase(inject('databaseServerUrl'));
});
afterAll(() => own?.drop());

const migrate = async (url: string) => {
  const lines: string[] = [];
  await runCommand(['migrate'], { DATABASE_URL: url }, (text) => lines.push(text));
  return lines.join('\n');
};

it('applies what is missing, once, and says so', async () => {
  const database = connect({ url: own.url, max: 1 });
  await database.rows('drop schema public, account, link, attribution, push, analytics, bus cascade');
  await database.rows('create schema public');
  expect(await migrate(own.url)).toMatch(/^Applied \d{14}_init.*\.$/);
  expect(await database.rows('select from link.links')).toEqual([]);
  await database.close();
  expect(await migrate(own.url)).toBe('Nothing was missing.');
});

it('ends with a sentence where it cannot', async () => {
  const nobody = new URL(own.url);
  nobody.password = 'wrong';
  await expect(migrate(`${nobody}`)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^The database is not up to date: ./),
  });
  await expect(migrate('postgresql://127.0.0.1:1/nothing')).rejects.toThrow('ECONNREFUSED');
});
