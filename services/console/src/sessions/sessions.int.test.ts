// Sessions: how long they live, and who ends them.
import { randomUUID } from 'node:crypto';
import { PersonChanged, SessionUsed } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { callerIn, consoleSuite, newBrowser, toldOf } from '../console.testing.ts';
import { as, done, PASSWORD, refused, setUp, signIn } from '../people.testing.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';
import { signOut } from './sign-in.ts';

const ADA = 'ada@example.com';

consoleSuite('a session', (house) => {
  it('ends when it is not used for 14 days, and after 90 in any case', async () => {
    const { userId, sessionId, browser } = await setUp(house);
    const caller = () => callerIn(browser, house.parts);
    const use = async (id = sessionId) => {
      await house.bus.tell(SessionUsed, { sessionId: id });
      await house.bus.idle();
    };
    for (let days = 0; days < 80; days += 10) {
      house.clock.advance({ days: 10 });
      expect(await caller()).toMatchObject({ userId });
      await use();
    }
    house.clock.advance({ days: 9 });
    await use();
    expect(await caller()).toMatchObject({ userId });
    house.clock.advance({ days: 1 });
    expect(await caller()).toBeNull();
    // A late message does not revive the session.
    await use();
    expect(await caller()).toBeNull();

    const { session } = await done(signIn(house, ADA));
    house.clock.advance({ days: 14 });
    await use(session.id);
    expect(await done(house.ask(listSessions, { actor: as(userId) }))).toEqual({ sessions: [] });
  });

  it('is listed for its person, who ends one or all others', async () => {
    const { userId, sessionId: first, browser } = await setUp(house);
    const { session: second } = await done(signIn(house, ADA));
    const here = newBrowser();
    const { session: third } = await done(signIn(house, ADA, PASSWORD, here));
    const list = async () => (await done(house.ask(listSessions, { browser: here }))).sessions;
    expect((await list()).map(({ id, current }) => [id, current])).toEqual([
      [third.id, true],
      [second.id, false],
      [first, false],
    ]);
    const end = (by: object) => house.ask(endSession, { sessionId: second.id, ...by });
    expect(await refused(end({ actor: as(randomUUID()) }))).toBe('SESSION_NOT_FOUND');
    expect(await done(end({ browser: here }))).toEqual({ ended: 1 });
    expect(await refused(end({ browser: here }))).toBe('SESSION_NOT_FOUND');
    expect(await callerIn(browser, house.parts)).toMatchObject({ userId });
    expect(await done(house.ask(endOtherSessions, { browser: here }))).toEqual({ ended: 1 });
    expect((await list()).map(({ id }) => id)).toEqual([third.id]);
    // This process forgets the session with the answer, without waiting for the event.
    expect(await callerIn(browser, house.parts)).toBeNull();
    const audit = await house.database.rows(
      `select subject, before from account.audit where action = 'EndSessions' order by at`,
    );
    expect(audit).toEqual([
      { subject: userId, before: { sessions: [second.id] } },
      { subject: userId, before: { sessions: [first] } },
    ]);
  });

  it('ends with a sign-out, and by another sign-in in its browser', async () => {
    const { userId, browser } = await setUp(house);
    const sessions = async () => (await done(house.ask(listSessions, { actor: as(userId) }))).sessions;
    const before = { ...browser, cookies: new Map(browser.cookies) };
    await house.bus.idle();
    house.told.length = 0;
    const { session } = await done(signIn(house, ADA, PASSWORD, browser));
    await house.bus.idle();
    expect(toldOf(house, PersonChanged)).toEqual([{ userId }]);
    expect(await callerIn(before, house.parts)).toBeNull();
    expect((await sessions()).map(({ id }) => id)).toEqual([session.id]);
    // The second request of two finds the session ended, which is no error.
    const caller = { ...browser, cookies: new Map(browser.cookies) };
    const both = await Promise.all([house.ask(signOut, { browser }), house.ask(signOut, { browser: caller })]);
    expect(both).toEqual([
      { ok: true, reply: {} },
      { ok: true, reply: {} },
    ]);
    expect(browser.cookies.get('landfall')).toBe('');
    expect(await sessions()).toEqual([]);
    expect(await house.database.rows(`select 1 from account.audit where action = 'EndSessions'`)).toHaveLength(1);
  });
});
