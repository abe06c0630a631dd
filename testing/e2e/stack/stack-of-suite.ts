// The processes of a suite, with topics and a database of their own.
import { randomBytes } from 'node:crypto';
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { type Stack, type StackOptions, startStack } from '@landfall/stack';
import { afterAll, beforeAll, inject } from 'vitest';

/** Valid inside tests and hooks. */
export interface StackOfSuite {
  stack: Stack;
  database: Database;
  readonly prefix: string;
  /** Each line that a process wrote, after its name. */
  readonly said: string[];
}

/** Starts the processes before the first test, and stops them after the last one. */
export function stackOfSuite(options: StackOptions): StackOfSuite {
  const said: string[] = [];
  const suite = { prefix: `suite-${randomBytes(4).toString('hex')}.`, said } as StackOfSuite;
  let own: TestDatabase;
  beforeAll(async () => {
    own = await createTestDatabase(inject('databaseServerUrl'));
    suite.database = connect({ url: own.url, max: 2 });
    const onLine = (name: string, line: string) => void said.push(`${name} ${line}`);
    suite.stack = await startStack({ databaseUrl: own.url, prefix: suite.prefix, onLine, ...options });
  });
  afterAll(async () => {
    await suite.stack?.stop();
    await suite.database?.close();
    await own?.drop();
  });
  return suite;
}
