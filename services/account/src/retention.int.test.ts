import { randomUUID } from 'node:crypto';
import { CreateTeam, EndSessions, Invite, ListAudit, SignInByProvider } from '@landfall/contracts';
import { type House, openHouse } from '@landfall/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { as, browser, done, email, hashOf, service, setUp, signIn } from './people.testing.ts';
import { deleteExpired } from './retention.ts';

const keep = { auditDays: 400 };
const nothing = {
  sessions: 0,
  signIns: 0,
  invitations: 0,
  failures: 0,
  knownPlaces: 0,
  audit: 0,
  keyUses: 0,
  countedUses: 0,
};
const run = (house: House, maxRows?: number) => deleteExpired(house.database, new Date(house.clock()), keep, maxRows);
const ADA = 'ada@example.com';

describe('what is over', () => {
  let house: Awaited<ReturnType<typeof openHouse>>;
  beforeEach(async () => {
    house = await openHouse({ service });
  });
  afterEach(() => house.close());

  it('is deleted a week later, and nothing else is', async () => {
    const { userId, teamId } = await setUp(house);
    const { session } = await done(signIn(house, ADA, undefined, { newDevice: 'laptop' }));
    await signIn(house, 'nobody@example.com', 'wrong horse battery');
    const vouched = { issuer: 'https://sso.example', subjectHash: hashOf('grace'), email: email('grace@example.com') };
    const from = { session: browser(), address: null, deviceHash: null };
    await done(house.bus.ask(SignInByProvider, { ...vouched, ...from, name: 'Grace', ofOwnDomain: true }));
    for (const who of ['bob@example.com', 'carol@example.com']) {
      const offer = { actor: as(userId), teamId, email: email(who), role: 'viewer', codeHash: hashOf(who) } as const;
      await done(house.bus.ask(Invite, offer));
    }
    const end = { actor: as(userId), userId, sessionId: session.id, except: null };
    await done(house.bus.ask(EndSessions, end));
    expect(await run(house)).toEqual(nothing);
    house.clock.advance({ days: 8 });
    expect(await run(house)).toEqual({ ...nothing, sessions: 1, signIns: 2, failures: 1 });
    house.clock.advance({ days: 7 });
    // The invitations expired after one week. The other sessions expire after two weeks without use, and are kept for
    // one more week.
    expect(await run(house)).toEqual({ ...nothing, invitations: 2 });
    house.clock.advance({ days: 7 });
    expect(await run(house)).toEqual({ ...nothing, sessions: 2 });
    house.clock.advance({ days: 70 });
    expect(await run(house)).toEqual({ ...nothing, knownPlaces: 2 });
    const list = { teamId, appId: null, userId: null, limit: 10, cursor: null };
    expect((await done(house.bus.ask(ListAudit, list))).entries).toHaveLength(3);
    house.clock.advance({ days: 310 });
    expect(await run(house)).toEqual({ ...nothing, audit: 6 });
    await done(house.bus.ask(CreateTeam, { actor: as(userId), name: 'Second' }));
    expect(await run(house)).toEqual(nothing);
  });

  it('is deleted in chunks, and no more than it may', async () => {
    await house.database.rows(
      `insert into account.audit (id, at, actor_kind, action, subject)
       select gen_random_uuid(), $1, 'operator', 'x', $2 from generate_series(1, 2500)`,
      [new Date('2020-01-01'), randomUUID()],
    );
    expect(await run(house, 2_200)).toMatchObject({ audit: 2_200 });
    expect(await run(house, 2_200)).toMatchObject({ audit: 300 });
  });
});
