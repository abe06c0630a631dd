// Sessions: how long they live, and who ends them.
import { randomUUID } from 'node:crypto';
import { PersonChanged, SessionUsed } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { callerIn, consoleSuite, newBrowser, toldOf } from '../console.testing.ts';
import { as, done, PASSWORD, refused, setUp, signIn } from '../people.testing.ts';
import { endOtherSessions, endSession, listSessions, signOut } from './session-routes.ts';

const ADA = 'ada@example.com';

consoleSuite('a session', (fixture) => {
  it('ends when it is not used for 14 days, and after 90 in any case', async () => {
    const { userId, sessionId, browser } = await setUp(fixture);
    const caller = () => callerIn(browser, fixture.parts);
    const use = async (id = sessionId) => {
      await fixture.bus.tell(SessionUsed, { sessionId: id });
      await fixture.bus.idle();
    };
    for (let days = 0; days < 80; days += 10) {
      fixture.clock.advance({ days: 10 });
      expect(await caller()).toMatchObject({ userId });
      await use();
    }
    fixture.clock.advance({ days: 9 });
    await use();
    expect(await caller()).toMatchObject({ userId });
    fixture.clock.advance({ days: 1 });
    expect(await caller()).toBeNull();
    // A late message does not revive the session.
    await use();
    expect(await caller()).toBeNull();

    const { session } = await done(signIn(fixture, ADA));
    fixture.clock.advance({ days: 14 });
    await use(session.id);
    expect(await done(fixture.ask(listSessions, { actor: as(userId) }))).toEqual({ sessions: [] });
  });

  it('is listed for its person, who ends one or all others', async () => {
    const { userId, sessionId: first, browser } = await setUp(fixture);
    const { session: second } = await done(signIn(fixture, ADA));
    const here = newBrowser();
    const { session: third } = await done(signIn(fixture, ADA, PASSWORD, here));
    const list = async () => (await done(fixture.ask(listSessions, { browser: here }))).sessions;
    expect((await list()).map(({ id, current }) => [id, current])).toEqual([
      [third.id, true],
      [second.id, false],
      [first, false],
    ]);
    const end = (by: object) => fixture.ask(endSession, { sessionId: second.id, ...by });
    expect(await refused(end({ actor: as(randomUUID()) }))).toBe('SESSION_NOT_FOUND');
    expect(await done(end({ browser: here }))).toEqual({ ended: 1 });
    expect(await refused(end({ browser: here }))).toBe('SESSION_NOT_FOUND');
    expect(await callerIn(browser, fixture.parts)).toMatchObject({ userId });
    expect(await done(fixture.ask(endOtherSessions, { browser: here }))).toEqual({ ended: 1 });
    expect((await list()).map(({ id }) => id)).toEqual([third.id]);
    // This process forgets the session with the answer, without waiting for the event.
    expect(await callerIn(browser, fixture.parts)).toBeNull();
    const audit = await fixture.database.rows(
      `select subject, before from account.audit where action = 'EndSessions' order by at`,
    );
    expect(audit).toEqual([
      { subject: userId, before: { sessions: [second.id] } },
      { subject: userId, before: { sessions: [first] } },
    ]);
  });

  it('ends with a sign-out, and by another sign-in in its browser', async () => {
    const { userId, browser } = await setUp(fixture);
    const sessions = async () => (await done(fixture.ask(listSessions, { actor: as(userId) }))).sessions;
    const before = { ...browser, cookies: new Map(browser.cookies) };
    await fixture.bus.idle();
    fixture.told.length = 0;
    const { session } = await done(signIn(fixture, ADA, PASSWORD, browser));
    await fixture.bus.idle();
    expect(toldOf(fixture, PersonChanged)).toEqual([{ userId }]);
    expect(await callerIn(before, fixture.parts)).toBeNull();
    expect((await sessions()).map(({ id }) => id)).toEqual([session.id]);
    // The second request of two finds the session ended, which is no error.
    const caller = { ...browser, cookies: new Map(browser.cookies) };
    const both = await Promise.all([fixture.ask(signOut, { browser }), fixture.ask(signOut, { browser: caller })]);
    expect(both).toEqual([
      { ok: true, reply: {} },
      { ok: true, reply: {} },
    ]);
    expect(browser.cookies.get('landfall')).toBe('');
    expect(await sessions()).toEqual([]);
    expect(await fixture.database.rows(`select 1 from account.audit where action = 'EndSessions'`)).toHaveLength(1);
  });
});
