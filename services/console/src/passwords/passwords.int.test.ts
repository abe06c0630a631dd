// Passwords that people change, and those that the operator resets.
import { randomUUID } from 'node:crypto';
import { PersonChanged } from '@landfall/contracts';
import { describe, expect, it } from 'vitest';
import { callerIn, consoleSuite, newBrowser, toldOf } from '../console.testing.ts';
import { as, done, PASSWORD, refused, setUp, signIn } from '../people.testing.ts';
import { listSessions } from '../sessions/session-routes.ts';
import { changePassword, choosePassword, resetPassword } from './password-routes.ts';

const ADA = 'ada@example.com';
const NEXT = 'another horse battery';

consoleSuite('a password', (fixture) => {
  const change = (current: string, next: string, by: object) => fixture.ask(changePassword, { current, next, ...by });
  const sessionsOf = async (userId: string) =>
    (await done(fixture.ask(listSessions, { actor: as(userId) }))).sessions.map(({ id }) => id);

  it('that is changed ends every session, and makes one', async () => {
    const { userId, browser } = await setUp(fixture);
    const other = newBrowser();
    await done(signIn(fixture, ADA, PASSWORD, other));
    expect(await refused(change('wrong horse battery', NEXT, { browser }))).toBe('WRONG_CREDENTIALS');
    expect(await refused(change(PASSWORD, 'password123', { browser }))).toBe('PASSWORD_COMMON');
    expect(await refused(change(PASSWORD, NEXT, { actor: as(randomUUID()) }))).toBe('PERSON_NOT_FOUND');
    await fixture.bus.idle();
    fixture.told.length = 0;
    const { session } = await done(change(PASSWORD, NEXT, { browser }));
    expect(await sessionsOf(userId)).toEqual([session.id]);
    expect(await callerIn(browser, fixture.parts)).toMatchObject({ userId, sessionId: session.id });
    expect(await callerIn(other, fixture.parts)).toBeNull();
    await fixture.bus.idle();
    expect(toldOf(fixture, PersonChanged)).toEqual([{ userId }]);
    expect(await refused(signIn(fixture, ADA))).toBe('WRONG_CREDENTIALS');
    await done(signIn(fixture, ADA, NEXT));
  });

  it('is not guessed at by the holder of a session', async () => {
    const { browser } = await setUp(fixture);
    for (let i = 0; i < 5; i++)
      expect(await refused(change(`wrong horse ${i}`, NEXT, { browser }))).toBe('WRONG_CREDENTIALS');
    expect(await refused(change(PASSWORD, NEXT, { browser }))).toBe('SIGN_IN_DELAYED');
    // Sign-ins elsewhere are not delayed by these failures.
    await done(signIn(fixture, ADA));
    fixture.clock.advance({ seconds: 2 });
    await done(change(PASSWORD, NEXT, { browser }));
  });

  it('that is changed twice at once is changed once', async () => {
    const { browser } = await setUp(fixture);
    const both = [NEXT, 'a third horse battery'].map((next) => change(PASSWORD, next, { browser: { ...browser } }));
    const answers = await Promise.all(both);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers).toContainEqual({ ok: false, refusal: { code: 'WRONG_CREDENTIALS', facts: {} } });
  });

  describe('that the operator resets', () => {
    const reset = async (email = ADA) => done(fixture.ask(resetPassword, { email }));
    const choose = (code: string, password = NEXT, browser = newBrowser()) =>
      fixture.ask(choosePassword, { code, password, browser });

    it('is gone with the sessions, and its person chooses another, once', async () => {
      const { userId } = await setUp(fixture);
      expect(await refused(fixture.ask(resetPassword, { email: 'bob@example.com' }))).toBe('PERSON_NOT_FOUND');
      const { person, code, url, curl } = await reset('Ada@example.com');
      expect(person.id).toBe(userId);
      expect(url).toBe(`http://api.test/reset#${code}`);
      expect(curl).toContain(`"code":"${code}"`);
      expect(await sessionsOf(userId)).toEqual([]);
      expect(await refused(signIn(fixture, ADA))).toBe('WRONG_CREDENTIALS');
      expect(await refused(choose('A'.repeat(43)))).toBe('CODE_UNKNOWN');
      expect(await refused(choose(code, 'password123'))).toBe('PASSWORD_COMMON');
      const browser = newBrowser();
      const chosen = await done(choose(code, NEXT, browser));
      expect(chosen.person).toMatchObject({ id: userId, hasPassword: true, emailVerified: true });
      expect(await callerIn(browser, fixture.parts)).toMatchObject({ userId, sessionId: chosen.session!.id });
      expect(await sessionsOf(userId)).toEqual([chosen.session!.id]);
      expect(await refused(choose(code, 'a third horse battery'))).toBe('CODE_UNKNOWN');
      await done(signIn(fixture, ADA, NEXT));
      const audit = await fixture.database.rows(
        `select action, actor_kind, actor_user_id, subject from account.audit where action like '%Password' order by at`,
      );
      expect(audit).toEqual([
        { action: 'ResetPassword', actor_kind: 'operator', actor_user_id: null, subject: userId },
        { action: 'ChoosePassword', actor_kind: 'person', actor_user_id: userId, subject: userId },
      ]);
    });

    it('has one code, the last, for a day', async () => {
      await setUp(fixture);
      const first = await reset();
      const second = await reset();
      expect(await refused(choose(first.code))).toBe('CODE_UNKNOWN');
      fixture.clock.advance({ hours: 24 });
      expect(await refused(choose(second.code))).toBe('CODE_UNKNOWN');
    });

    it('is chosen by one of two at once', async () => {
      await setUp(fixture);
      const { code } = await reset();
      const both = await Promise.all([NEXT, 'a third horse battery'].map((next) => choose(code, next)));
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      expect(both).toContainEqual({ ok: false, refusal: { code: 'CODE_UNKNOWN', facts: {} } });
    });
  });
});
