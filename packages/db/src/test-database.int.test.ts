import { expect, inject, it } from 'vitest';
import { assertTestDatabase, createTestDatabase } from './database.testing.ts';
import { connect } from './database.ts';

it('asks the server, and lets only a test database pass', async () => {
  const made = await createTestDatabase(inject('databaseServerUrl'));
  const database = connect({ url: made.url, max: 1 });
  await assertTestDatabase(database);
  await database.close();
  await made.drop();

  const url = new URL(inject('databaseServerUrl'));
  url.pathname = '/postgres';
  url.searchParams.set('application_name', 'test');
  const real = connect({ url: url.href, max: 1 });
  await expect(assertTestDatabase(real)).rejects.toThrow('"postgres" is not a test database');
  await real.close();
});
