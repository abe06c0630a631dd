import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { accountRepository } from '../account-repository.ts';
import { createPasswords } from '../passwords/passwords.ts';
import { email, PASSWORD, sealer } from '../people.testing.ts';
import { ensureFirstOwner } from './first-owner.ts';

let own: TestDatabase;
let database: Database;
beforeEach(async () => {
  own = await createTestDatabase(inject('databaseServerUrl'));
  database = connect({ url: own.url, max: 6 });
});
afterEach(async () => {
  await database.close();
  await own.drop();
});

const ensure = (password = PASSWORD, who = 'ada@example.com') =>
  ensureFirstOwner({ database, sealer }, { email: who, password }, new Date());
const countOf = async (table: string) => (await database.rows(`select 1 from account.${table}`)).length;

it('is made once, however many processes start at once, and their password is never reset', async () => {
  await Promise.all(Array.from({ length: 6 }, () => ensure()));
  await ensure('another horse battery');
  await ensure('another horse battery', 'bob@example.com');
  expect([await countOf('users'), await countOf('teams'), await countOf('members')]).toEqual([1, 1, 1]);
  const known = await accountRepository(database, sealer).people.findByEmail(email('ada@example.com'));
  expect(known?.person.instanceOwner).toBe(true);
  expect(await createPasswords().verify(PASSWORD, known!.passwordHash)).toBe(true);
  const audit = await database.rows<{ action: string; actor: string; after: object }>(
    'select action, actor_kind as actor, after from account.audit',
  );
  expect(audit).toEqual([
    { action: 'SetUp', actor: 'operator', after: { email: 'ada@example.com', team: 'First team', apps: [] } },
  ]);
});

it('has a password that nobody tries first', async () => {
  await expect(ensure('short')).rejects.toThrow(/^LANDFALL_INIT_OWNER_PASSWORD must have at least 10 characters\.$/);
  await expect(ensure('password123')).rejects.toThrow(/^LANDFALL_INIT_OWNER_PASSWORD is among the most common/);
  expect(await countOf('users')).toBe(0);
});
