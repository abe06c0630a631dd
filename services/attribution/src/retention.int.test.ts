import { connect, type Database, deletionOf } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { activityRepository } from './repositories/activity-repository.ts';
import { contactRepository } from './repositories/contact-repository.ts';
import { openingRepository } from './repositories/opening-repository.ts';
import { pendingLinkRepository } from './repositories/pending-link-repository.ts';
import { restoreRepository } from './repositories/restore-repository.ts';
import { deleteExpired, old } from './retention.ts';
import { APP, aTap, HOME, hashOf, id, minutesAgo, NOON } from './values.testing.ts';

const keep = { pendingLinkDays: 30, contactHours: 48, restoreDays: 30 };
const daysAgo = (n: number) => minutesAgo(n * 24 * 60);

describe('deleteExpired', () => {
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

  const storeTaps = (times: readonly Date[]) =>
    database.transaction(async (tx) =>
      pendingLinkRepository(tx).insert(times.map((tappedAt, i) => aTap({ id: id(i), tappedAt }))),
    );
  const count = async (table: string) => (await database.rows(`select 1 from attribution.${table}`)).length;

  it('deletes what is past its time, open or closed, and nothing else', async () => {
    await storeTaps([daysAgo(31), daysAgo(29), daysAgo(31)]);
    await database.rows('update attribution.pending_links set closed_by = id, closed_at = tapped_at where id = $1', [
      id(0),
    ]);
    const contacts = [3, 1].map((n) => ({
      appId: APP,
      address: HOME,
      device: hashOf(`phone ${n}`),
      firstAt: daysAgo(9),
      lastAt: daysAgo(n),
      lastHeartbeatAt: null,
      platform: null,
      model: null,
    }));
    await database.transaction(async (tx) => contactRepository(tx).add(contacts));
    await database.transaction(async (tx) =>
      restoreRepository(tx).insert(
        [31, 29].map((n) => ({
          id: id(n),
          appId: APP,
          claimant: null,
          device: null,
          address: null,
          at: daysAgo(n),
          matchType: null,
          pendingIds: [],
          summary: '',
          considered: [],
          reply: { matches: [], awaitHeartbeat: false },
          repeats: null,
          releasedAt: null,
          facts: null,
        })),
      ),
    );
    await openingRepository(database).record(
      [26, 24].map((n) => ({ id: id(n), appId: APP, linkId: id(1), address: HOME, at: minutesAgo(n * 60) })),
    );
    await database.transaction(async (tx) =>
      activityRepository(tx).count(
        [50, 47].map((n) => ({
          ...{ appId: APP, device: hashOf(`${n}`), address: null, site: null },
          at: minutesAgo(n * 60),
          isFirst: true,
        })),
      ),
    );
    expect(await deleteExpired(database, NOON, keep, 100)).toEqual({
      pendingLinks: 2,
      contacts: 1,
      restores: 1,
      openings: 1,
      activity: 1,
    });
    expect([
      await count('pending_links'),
      await count('contacts'),
      await count('restores'),
      await count('openings'),
      await count('activity'),
    ]).toEqual([1, 1, 1, 1, 1]);
  });

  it('deletes in chunks, and no more than it may', async () => {
    await storeTaps(Array.from({ length: 2_500 }, (_, i) => new Date(daysAgo(31).getTime() - i)));
    expect(await deleteExpired(database, NOON, keep, 2_200)).toMatchObject({ pendingLinks: 2_200 });
    expect(await deleteExpired(database, NOON, keep, 2_200)).toMatchObject({ pendingLinks: 300 });
  });

  it('reads only what it deletes, however much there is', async () => {
    const one = connect({ url: testDatabase.url, max: 1 });
    await one.rows(
      `insert into attribution.pending_links (id, app_id, link_id, kind, tapped_at, people)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'tap', now() + n * interval '1 s', 1 from generate_series(1, 20000) n`,
    );
    await one.rows('analyze attribution.pending_links');
    const { table, where } = old.pendingLinks;
    await one.rows(`prepare deletion (int, timestamptz) as ${deletionOf(table, where)}`);
    const plan = await one.rows(`explain (format json) execute deletion (1000, now() + interval '5 s')`);
    await one.close();
    const whole = JSON.stringify(plan);
    expect(whole).toContain('"Node Type":"Tid Scan"');
    expect(whole).not.toContain('Join');
  });

  it('leaves what is in use for the next time, and does not wait', async () => {
    await storeTaps([daysAgo(31), daysAgo(31)]);
    await database.transaction(async (tx) => {
      await tx.rows('select 1 from attribution.pending_links where id = $1 for update', [id(0)]);
      expect(await deleteExpired(database, NOON, keep, 100)).toMatchObject({ pendingLinks: 1 });
    });
    expect(await deleteExpired(database, NOON, keep, 100)).toMatchObject({ pendingLinks: 1 });
  });
});
