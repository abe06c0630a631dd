import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type ConsoleFixture, consoleSuite, newBrowser } from './console.testing.ts';
import { as, done, PASSWORD, setUp, signIn } from './people.testing.ts';
import { deleteExpired } from './retention.ts';
import { endSession } from './sessions/session-routes.ts';
import { invite } from './teams/invitations.ts';
import { createTeam } from './teams/teams.ts';

const keep = { KEEP_AUDIT_DAYS: 400 };
const nothing = {
  sessions: 0,
  signIns: 0,
  invitations: 0,
  failures: 0,
  knownPlaces: 0,
  audit: 0,
  keyUses: 0,
  countedUses: 0,
  clientCalls: 0,
  shares: 0,
  messages: 0,
};
const run = (fixture: ConsoleFixture, maxRows?: number) =>
  deleteExpired(fixture.database, new Date(fixture.clock()), keep, maxRows);
const ADA = 'ada@example.com';

consoleSuite('what is over', (fixture) => {
  it('is deleted a week later, and nothing else is', async () => {
    const { userId, teamId } = await setUp(fixture);
    const { session } = await done(signIn(fixture, ADA, PASSWORD, newBrowser('office')));
    await signIn(fixture, 'nobody@example.com', 'wrong horse battery');
    await done(signIn(fixture, ADA, PASSWORD, newBrowser('a hotel')));
    for (const email of ['bob@example.com', 'carol@example.com'])
      await done(fixture.ask(invite, { actor: as(userId), teamId, email, role: 'viewer' }));
    await done(fixture.ask(endSession, { actor: as(userId), sessionId: session.id }));
    await fixture.database.rows(
      `insert into account.changes (message_id, subject, command, reply, at) values ($1, $1, 'SignIn', '{}', $2)`,
      [randomUUID(), new Date(fixture.clock())],
    );
    expect(await run(fixture)).toEqual(nothing);
    fixture.clock.advance({ days: 8 });
    expect(await run(fixture)).toEqual({ ...nothing, sessions: 1, signIns: 1, failures: 1 });
    fixture.clock.advance({ days: 7 });
    // The invitations expired after one week. The other sessions expire after two weeks without use, and are kept for
    // one more week.
    expect(await run(fixture)).toEqual({ ...nothing, invitations: 2 });
    fixture.clock.advance({ days: 7 });
    expect(await run(fixture)).toEqual({ ...nothing, sessions: 2 });
    fixture.clock.advance({ days: 70 });
    expect(await run(fixture)).toEqual({ ...nothing, knownPlaces: 6 });
    expect(await fixture.parts.account.audit.list({ teamId, appId: null, userId: null }, 10, null)).toHaveLength(3);
    fixture.clock.advance({ days: 310 });
    expect(await run(fixture)).toEqual({ ...nothing, audit: 6 });
    await done(fixture.ask(createTeam, { actor: as(userId), name: 'Second' }));
    expect(await run(fixture)).toEqual(nothing);
  });

  it('has counts of keys and calls of clients for 30 days', async () => {
    for (const days of [0, 29, 31]) {
      const given = [randomUUID(), new Date(fixture.clock() - days * 86_400_000)];
      await fixture.database.rows('insert into account.key_uses (key_id, hour, requests) values ($1, $2, 1)', given);
      await fixture.database.rows('insert into account.counted_uses (message_id, at) values ($1, $2)', given);
      const call = `insert into account.client_calls (app_id, platform, client, call, at) values ($1, '', 'x', 'push', $2)`;
      await fixture.database.rows(call, given);
    }
    expect(await run(fixture)).toEqual({ ...nothing, keyUses: 1, countedUses: 1, clientCalls: 1 });
    expect(await run(fixture)).toEqual(nothing);
  });

  it('is deleted in chunks, and no more than it may', async () => {
    await fixture.database.rows(
      `insert into account.audit (id, at, actor_kind, action, subject)
       select gen_random_uuid(), $1, 'operator', 'x', $2 from generate_series(1, 2500)`,
      [new Date('2020-01-01'), randomUUID()],
    );
    expect(await run(fixture, 2_200)).toMatchObject({ audit: 2_200 });
    expect(await run(fixture, 2_200)).toMatchObject({ audit: 300 });
  });
});
