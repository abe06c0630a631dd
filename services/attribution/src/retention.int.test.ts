import { connect, deletionOf } from '@landfall/db';
import { eachDatabase } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { activityRepository } from './repositories/activity-repository.ts';
import { contactRepository, seenOnce } from './repositories/contact-repository.ts';
import { linkRepository } from './repositories/link-repository.ts';
import { pendingLinkRepository } from './repositories/pending-link-repository.ts';
import { restoreRepository } from './repositories/restore-repository.ts';
import { deleteExpired, old } from './retention.ts';
import { APP, aTap, HOME, hashOf, id, minutesAgo, NOON } from './values.testing.ts';

const keep = { KEEP_PENDING_LINK_DAYS: 30, KEEP_CONTACT_HOURS: 48, KEEP_RESTORE_DAYS: 30 };
const daysAgo = (n: number) => minutesAgo(n * 24 * 60);

describe('deleteExpired', () => {
  const fixture = eachDatabase(2);
  const storeTaps = (times: readonly Date[]) =>
    fixture.database.transaction(async (tx) =>
      pendingLinkRepository(tx).insert(times.map((tappedAt, i) => aTap({ id: id(i), tappedAt }))),
    );
  const deleted = (most = 100) => deleteExpired(fixture.database, NOON, keep, most);

  it('deletes what is past its time, open or closed, and nothing else', async () => {
    const { database } = fixture;
    await storeTaps([daysAgo(31), daysAgo(29), daysAgo(31)]);
    await database.rows('update attribution.pending_links set closed_by = id, closed_at = tapped_at where id = $1', [
      id(0),
    ]);
    const nobody = { appId: APP, claimant: null, device: null, address: null, platform: null, model: null, site: null };
    const nothing = { matchType: null, pendingIds: [], summary: '', considered: [], repeats: null, facts: null };
    const untold = { code: null, linkIds: null, email: null, keyId: null, client: null, requestId: null, sent: null };
    const reply = { matches: [], awaitHeartbeat: false };
    await database.transaction(async (tx) => {
      const device = hashOf('phone');
      const contacts = [3, 1].map((n) => ({ ...nobody, address: hashOf(`${n}`), device, ...seenOnce(daysAgo(n)) }));
      contactRepository(tx).add(contacts);
      const restores = [31, 29].map((n) => ({
        ...nobody,
        id: id(n),
        at: daysAgo(n),
        ...nothing,
        ...untold,
        reply,
        releasedAt: null,
      }));
      await restoreRepository(tx).insert(restores);
      const sighted = [50, 47].map((n) => ({ ...nobody, device, at: minutesAgo(n * 60), isFirst: true }));
      activityRepository(tx).count(sighted);
    });
    await linkRepository(database).recordOpenings(
      [26, 24].map((n) => ({ id: id(n), appId: APP, linkId: id(1), address: HOME, at: minutesAgo(n * 60) })),
    );
    expect(await deleted()).toEqual({ pendingLinks: 2, contacts: 1, restores: 1, openings: 1, activity: 1 });
    for (const { table } of Object.values(old)) expect(await database.rows(`select 1 from ${table}`)).toHaveLength(1);
  });

  it('reads only what it deletes, however much there is', async () => {
    const one = connect({ url: fixture.url, max: 1 });
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
    await fixture.database.transaction(async (tx) => {
      await tx.rows('select 1 from attribution.pending_links where id = $1 for update', [id(0)]);
      expect(await deleted()).toMatchObject({ pendingLinks: 1 });
    });
    expect(await deleted()).toMatchObject({ pendingLinks: 1 });
  });
});
