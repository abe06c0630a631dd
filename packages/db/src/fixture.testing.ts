// Databases of suites: a new one before each test or before all, which is dropped afterwards.
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.testing.ts';
import { type ConnectOptions, connect, type Database } from './database.ts';

/** Its fields are valid inside tests, and inside hooks that come after it. */
interface Fixture {
  readonly database: Database;
  readonly url: string;
}

function fixtureOf(before: typeof beforeAll, after: typeof afterAll, options: Omit<ConnectOptions, 'url'>): Fixture {
  const fixture = {} as { database: Database; url: string };
  let made: TestDatabase;
  before(async () => {
    made = await createTestDatabase(inject('databaseServerUrl'));
    fixture.url = made.url;
    fixture.database = connect({ url: made.url, ...options });
  });
  after(async () => {
    await fixture.database.close();
    await made.drop();
  });
  return fixture;
}

/** @param max connections at most */
export const eachDatabase = (max: number): Fixture => fixtureOf(beforeEach, afterEach, { max });

export const suiteDatabase = (max: number, limits: ConnectOptions['limits'] = {}): Fixture =>
  fixtureOf(beforeAll, afterAll, { max, limits });
