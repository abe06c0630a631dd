// Sign-in with a password: who gets in, and how those are delayed who guess.
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ConsoleFixture, consoleSuite, newBrowser } from '../console.testing.ts';
import { done, PASSWORD, refused, setUp, signIn } from '../people.testing.ts';

const ADA = 'ada@example.com';

/** Returns the refusal codes for this many wrong passwords, each from its own address, three per second. */
async function storm(fixture: ConsoleFixture, who: string, attempts: number): Promise<string[]> {
  const codes: string[] = [];
  for (let i = 0; i < attempts; i++) {
    fixture.clock.advance({ ms: 333 });
    codes.push(await refused(signIn(fixture, who, `guess number ${i}`, newBrowser(`10.0.0.${i}`))));
  }
  return codes;
}

const looked = (codes: readonly string[]) => codes.filter((code) => code === 'WRONG_CREDENTIALS').length;

consoleSuite('sign-in', (fixture) => {
  it('is for whoever knows the password, however their email is written', async () => {
    const { userId } = await setUp(fixture);
    const { session, person } = await done(signIn(fixture, 'ADA@example.com '));
    expect(session).toMatchObject({ userId, current: true });
    expect(person).toMatchObject({ id: userId, email: ADA });
    expect(await refused(signIn(fixture, ADA, 'wrong horse battery'))).toBe('WRONG_CREDENTIALS');
    expect(await refused(signIn(fixture, 'nobody@example.com'))).toBe('WRONG_CREDENTIALS');
    const audit = await fixture.database.rows(
      `select actor_kind, actor_user_id, subject from account.audit where action = 'SignIn'`,
    );
    expect(audit).toEqual([{ actor_kind: 'person', actor_user_id: userId, subject: session.id }]);
  });

  it('looks at few of 300 wrong passwords, while the person gets in from where they are known', async () => {
    await setUp(fixture);
    const laptop = newBrowser('office');
    await done(signIn(fixture, ADA, PASSWORD, laptop));
    const codes = await storm(fixture, ADA, 300);
    // Five attempts at once, then one each after 1, 2, 4, 8, 16 and 32 seconds.
    expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'WRONG_CREDENTIALS'));
    expect(looked(codes)).toBeGreaterThan(8);
    expect(looked(codes)).toBeLessThan(13);

    expect(await refused(signIn(fixture, ADA, PASSWORD, newBrowser('a hotel')))).toBe('SIGN_IN_DELAYED');
    laptop.address = 'a hotel';
    await done(signIn(fixture, ADA, PASSWORD, laptop));
    await done(signIn(fixture, ADA, PASSWORD, newBrowser('office')));
    // A person is locked out for one minute at most.
    fixture.clock.advance({ seconds: 60 });
    await done(signIn(fixture, ADA, PASSWORD, newBrowser('another hotel')));
  });

  it('says of an email that nobody has what it says of another', async () => {
    await setUp(fixture);
    const known = await storm(fixture, ADA, 40);
    const unknown = await storm(fixture, 'nobody@example.com', 40);
    expect(looked(known)).toBeGreaterThan(5);
    expect(unknown).toEqual(known);
  });

  it('hashes as much for an email that nobody has', async () => {
    await setUp(fixture);
    const asked = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => asked.mockRestore());
    const hashed = async (who: string) => {
      asked.mockClear();
      await refused(signIn(fixture, who, 'wrong horse battery'));
      return asked.mock.calls.map(([{ memory, passes, parallelism, tagLength }]) => {
        return { memory, passes, parallelism, tagLength };
      });
    };
    const known = await hashed(ADA);
    expect(known).toHaveLength(1);
    expect(await hashed('nobody@example.com')).toEqual(known);
  });

  it('tells those who guess at once no more than those who guess one by one', async () => {
    await setUp(fixture);
    const guess = (typed: string, i: number) => signIn(fixture, ADA, typed, newBrowser(`10.0.0.${i}`));
    for (let i = 0; i < 4; i++) await refused(guess(`wrong horse ${i}`, i));
    // The right one among them is the first to be checked, and the last to be answered.
    const { verify, hash } = fixture.parts.passwords;
    const others = Promise.withResolvers<void>();
    async function slowlyRight(typed: string, stored: string | null) {
      const right = await verify(typed, stored);
      if (right) await others.promise;
      return right;
    }
    fixture.parts.passwords = { hash, verify: slowlyRight };
    const right = guess(PASSWORD, 4);
    const wrong = await Promise.all(['a', 'b', 'c'].map((typed, i) => refused(guess(`wrong horse ${typed}`, 5 + i))));
    expect(wrong.toSorted()).toEqual(['SIGN_IN_DELAYED', 'SIGN_IN_DELAYED', 'WRONG_CREDENTIALS']);
    others.resolve();
    expect(await refused(right)).toBe('SIGN_IN_DELAYED');
    expect(await fixture.database.rows('select failures from account.sign_in_failures')).toEqual([{ failures: 5 }]);
  });

  it('delays a known place for its own failures only, and forgets them with a success', async () => {
    await setUp(fixture);
    const laptop = newBrowser('office');
    await done(signIn(fixture, ADA, PASSWORD, laptop));
    for (let i = 0; i < 5; i++)
      expect(await refused(signIn(fixture, ADA, `wrong horse ${i}`, laptop))).toBe('WRONG_CREDENTIALS');
    expect(await refused(signIn(fixture, ADA, PASSWORD, laptop))).toBe('SIGN_IN_DELAYED');
    await done(signIn(fixture, ADA, PASSWORD, newBrowser('a hotel')));
    fixture.clock.advance({ seconds: 1 });
    await done(signIn(fixture, ADA, PASSWORD, laptop));
    expect(await refused(signIn(fixture, ADA, 'wrong horse again', laptop))).toBe('WRONG_CREDENTIALS');
    await done(signIn(fixture, ADA, PASSWORD, laptop));
  });

  it('knows a place for 90 days, and for its person alone', async () => {
    await setUp(fixture);
    const laptop = newBrowser('office');
    await done(signIn(fixture, ADA, PASSWORD, laptop));
    laptop.address = 'a train';
    const isDelayed = async (who: string) => {
      for (let i = 0; i < 5; i++) await signIn(fixture, who, `wrong horse ${i}`, newBrowser('10.0.0.1'));
      return (await refused(signIn(fixture, who, 'wrong horse last', laptop))) === 'SIGN_IN_DELAYED';
    };
    expect(await isDelayed('bob@example.com')).toBe(true);
    fixture.clock.advance({ days: 89 });
    expect(await isDelayed(ADA)).toBe(false);
    fixture.clock.advance({ days: 1 });
    expect(await isDelayed(ADA)).toBe(true);
  });

  it('forgets failures after a day without one', async () => {
    await setUp(fixture);
    const guess = (typed: string) => refused(signIn(fixture, ADA, typed, newBrowser('10.0.0.1')));
    for (let i = 0; i < 5; i++) await guess(`wrong horse ${i}`);
    fixture.clock.advance({ hours: 25 });
    for (let i = 0; i < 5; i++) expect(await guess(`wrong horse ${i}`)).toBe('WRONG_CREDENTIALS');
    expect(await guess(PASSWORD)).toBe('SIGN_IN_DELAYED');
  });
});
