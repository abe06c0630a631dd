// A database for each test of a suite.
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterEach, beforeEach, inject } from 'vitest';

/**
 * Makes a new database before each test, and drops it afterwards. Its fields are valid inside tests and hooks.
 * @param max connections at most
 */
export function eachDatabase(max: number): { readonly database: Database; readonly url: string } {
  const fixture = {} as { database: Database; url: string };
  let made: TestDatabase;
  beforeEach(async () => {
    made = await createTestDatabase(inject('databaseServerUrl'));
    fixture.url = made.url;
    fixture.database = connect({ url: made.url, max });
  });
  afterEach(async () => {
    await fixture.database.close();
    await made.drop();
  });
  return fixture;
}
