import { randomUUID } from 'node:crypto';
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { deleteExpired } from './retention.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  database = connect({ url: testDatabase.url, max: 2 });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

async function edited(...times: Date[]) {
  for (const at of times)
    await database.prisma.linkEdit.create({ data: { messageId: randomUUID(), linkId: randomUUID(), reply: {}, at } });
}
const left = async () => (await database.prisma.linkEdit.findMany({ orderBy: { at: 'asc' } })).map(({ at }) => at);

it('deletes edits that are older than the audit log, and no others', async () => {
  const kept = [daysAgo(10), daysAgo(1), now];
  await edited(daysAgo(400), daysAgo(10.01), ...kept);
  expect(await deleteExpired(database, now, { auditDays: 10 })).toEqual({ edits: 2 });
  expect(await left()).toEqual(kept);
  expect(await deleteExpired(database, now, { auditDays: 10 })).toEqual({ edits: 0 });
});

it('deletes no more at once than it may', async () => {
  await edited(daysAgo(13), daysAgo(12), daysAgo(11));
  expect(await deleteExpired(database, now, { auditDays: 10 }, 2)).toEqual({ edits: 2 });
  expect(await left()).toHaveLength(1);
});
