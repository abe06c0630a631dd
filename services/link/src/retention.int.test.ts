import { randomUUID } from 'node:crypto';
import { eachDatabase } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { deleteExpired } from './retention.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const fixture = eachDatabase(2);

const edited = (...times: Date[]) =>
  fixture.database.prisma.linkEdit.createMany({
    data: times.map((at) => ({ messageId: randomUUID(), linkId: randomUUID(), reply: {}, at })),
  });
const left = async () =>
  (await fixture.database.prisma.linkEdit.findMany({ orderBy: { at: 'asc' } })).map(({ at }) => at);

it('deletes edits that are older than the audit log, and no others', async () => {
  const kept = [daysAgo(10), daysAgo(1), now];
  await edited(daysAgo(400), daysAgo(10.01), ...kept);
  expect(await deleteExpired(fixture.database, now, { KEEP_AUDIT_DAYS: 10 })).toEqual({ edits: 2 });
  expect(await left()).toEqual(kept);
  expect(await deleteExpired(fixture.database, now, { KEEP_AUDIT_DAYS: 10 })).toEqual({ edits: 0 });
});

it('deletes no more at once than it may', async () => {
  await edited(daysAgo(13), daysAgo(12), daysAgo(11));
  expect(await deleteExpired(fixture.database, now, { KEEP_AUDIT_DAYS: 10 }, 2)).toEqual({ edits: 2 });
  expect(await left()).toHaveLength(1);
});
