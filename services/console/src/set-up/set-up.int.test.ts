// The set-up of an instance: once, by whoever has the code that it printed.
import { AppChanged, PersonChanged } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { makeSecret } from '../access/one-time.ts';
import { type ConsoleFixture, callerIn, consoleSuite, makeApp, newBrowser, toldOf } from '../console.testing.ts';
import { done, PASSWORD, refused } from '../people.testing.ts';
import { offerSetUp } from './offer-set-up.ts';
import { getSetUp, setUp } from './set-up.ts';

/** Offers the set-up as a start of the instance does. Returns the code, also when the offer is not printed. */
async function offer({ database, clock }: ConsoleFixture): Promise<{ code: string; said: string | undefined }> {
  const code = makeSecret();
  const place = { publicUrl: 'http://api.test', hasPages: true };
  return { code: code.plaintext, said: await offerSetUp(database, place, { code, now: new Date(clock()) }) };
}

consoleSuite('the set-up', (fixture) => {
  const wanted = { email: ' Ada@Example.com ', password: PASSWORD, name: 'Ada', teamName: 'First' };
  const needed = async () => (await done(fixture.ask(getSetUp))).needed;

  it('is done once, and only with the code of the last start', async () => {
    const app = await makeApp(fixture);
    expect(await needed()).toBe(true);
    const guessed = makeSecret().plaintext;
    expect(await refused(fixture.ask(setUp, { ...wanted, code: guessed }))).toBe('CODE_UNKNOWN');
    const [first, second] = [await offer(fixture), await offer(fixture)];
    expect(second.said).toContain(second.code);
    expect(await refused(fixture.ask(setUp, { ...wanted, code: first.code }))).toBe('CODE_UNKNOWN');
    const common = { ...wanted, code: second.code, password: 'password123' };
    expect(await refused(fixture.ask(setUp, common))).toBe('PASSWORD_COMMON');

    await fixture.bus.idle();
    fixture.told.length = 0;
    const browser = newBrowser();
    const { person, session } = await done(fixture.ask(setUp, { ...wanted, code: second.code, browser }));
    expect(person).toMatchObject({
      ...{ name: 'Ada', email: 'ada@example.com', instanceOwner: true, hasPassword: true },
    });
    const [team] = await fixture.parts.account.teams.ofPerson(person.id);
    expect(team).toMatchObject({ name: 'First', role: 'owner' });
    expect(await callerIn(browser, fixture.parts)).toMatchObject({
      kind: 'session',
      sessionId: session.id,
      userId: person.id,
      instanceOwner: true,
      roles: new Map([[team!.id, 'owner']]),
    });
    await fixture.bus.idle();
    expect(toldOf(fixture, PersonChanged)).toEqual([{ userId: person.id }]);
    expect(toldOf(fixture, AppChanged)).toMatchObject([{ appId: app.id }]);
    const audit = await fixture.database.rows(
      `select actor_kind, actor_user_id, subject, team_id, after from account.audit where action = 'SetUp'`,
    );
    const after = { email: wanted.email, team: 'First', apps: [app.id] };
    const by = { actor_kind: 'person', actor_user_id: person.id };
    expect(audit).toEqual([{ ...by, subject: person.id, team_id: team!.id, after }]);

    expect(await needed()).toBe(false);
    const third = await offer(fixture);
    expect(third.said).toBeUndefined();
    for (const { code } of [first, second, third])
      expect(await refused(fixture.ask(setUp, { ...wanted, code }))).toBe('SET_UP_DONE');
  });

  it('gives one owner to an instance that two set up at once', async () => {
    const { code } = await offer(fixture);
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) => fixture.ask(setUp, { ...wanted, email: `${name}@example.com`, code })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await fixture.database.rows('select 1 from account.users')).toHaveLength(1);
    expect(await fixture.database.rows('select 1 from account.teams')).toHaveLength(1);
  });
});
