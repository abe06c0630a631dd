import { randomBytes } from 'node:crypto';
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { storeOwnerToken } from './store-owner-token.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase(inject('databaseServerUrl'));
  database = connect({ url: own.url, max: 6 });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

it('is stored once, as a hash, however many processes start at once', async () => {
  for (let round = 0; round < 10; round++) {
    const token = `lf_${randomBytes(16).toString('hex')}`;
    await Promise.all(Array.from({ length: 6 }, () => storeOwnerToken(database, token, new Date())));
  }
  const rows = await database.rows<{ label: string; bytes: number }>(
    'select label, length(hash) as bytes from account.tokens',
  );
  expect(rows).toEqual(Array.from({ length: 10 }, () => ({ label: 'OWNER_TOKEN', bytes: 32 })));
});
