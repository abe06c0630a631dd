import { Worker } from 'node:worker_threads';
import type { Answer } from '@landfall/bus';
import { SignIn } from '@landfall/contracts';
import { type House, handlerSuite } from '@landfall/testkit';
import { expect, it, onTestFinished, vi } from 'vitest';
import { browser, done, email, hashOf, password, refused, service, setUp, signIn } from './people.testing.ts';

const ADA = 'ada@example.com';

/** Returns the refusal codes for this many wrong passwords, each from its own address, three per second. */
async function storm(house: House, who: string, attempts: number): Promise<string[]> {
  const codes: string[] = [];
  for (let i = 0; i < attempts; i++) {
    house.clock.advance({ ms: 333 });
    codes.push(await refused(signIn(house, who, `guess number ${i}`, { address: `10.0.${i}` })));
  }
  return codes;
}

const looked = (codes: readonly string[]) => codes.filter((code) => code === 'WRONG_CREDENTIALS').length;

handlerSuite('sign-in', { service }, (house) => {
  it('looks at few of 300 wrong passwords, while the person gets in from where they are known', async () => {
    await setUp(house);
    await done(signIn(house, ADA, undefined, { address: 'office', newDevice: 'laptop' }));
    const codes = await storm(house, ADA, 300);
    // Five attempts at once, then one each after 1, 2, 4, 8, 16 and 32 seconds.
    expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'WRONG_CREDENTIALS'));
    expect(looked(codes)).toBeGreaterThan(8);
    expect(looked(codes)).toBeLessThan(13);

    const answer = await signIn(house, ADA, undefined, { address: 'a hotel' });
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'SIGN_IN_DELAYED' } });
    await done(signIn(house, ADA, undefined, { address: 'a hotel', device: 'laptop', newDevice: 'laptop 2' }));
    await done(signIn(house, ADA, undefined, { address: 'office' }));
    // A person is locked out for one minute at most.
    expect(waitOf(answer)).toBeLessThanOrEqual(60);
    house.clock.advance({ seconds: 60 });
    await done(signIn(house, ADA, undefined, { address: 'a hotel' }));
  });

  it('says of an email that nobody has what it says of another', async () => {
    await setUp(house);
    const known = await storm(house, ADA, 40);
    const unknown = await storm(house, 'nobody@example.com', 40);
    expect(looked(known)).toBeGreaterThan(5);
    expect(unknown).toEqual(known);
  });

  it('hashes as much for an email that nobody has', async () => {
    await setUp(house);
    const asked = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => asked.mockRestore());
    const hashed = async (who: string) => {
      asked.mockClear();
      await refused(signIn(house, who, 'wrong horse battery'));
      return asked.mock.calls.map(([{ memory, passes, parallelism, tagLength }]) => {
        return { memory, passes, parallelism, tagLength };
      });
    };
    const known = await hashed(ADA);
    expect(known).toHaveLength(1);
    expect(await hashed('nobody@example.com')).toEqual(known);
  });

  it('delays a known place for its own failures only, and forgets them with a success', async () => {
    await setUp(house);
    await done(signIn(house, ADA, undefined, { newDevice: 'laptop' }));
    const at = { device: 'laptop' };
    for (let i = 0; i < 5; i++)
      expect(await refused(signIn(house, ADA, `wrong horse ${i}`, at))).toBe('WRONG_CREDENTIALS');
    expect(await signIn(house, ADA, undefined, at)).toMatchObject({
      refusal: { code: 'SIGN_IN_DELAYED', facts: { seconds: 1 } },
    });
    await done(signIn(house, ADA, undefined, { address: 'a hotel' }));
    house.clock.advance({ seconds: 1 });
    await done(signIn(house, ADA, undefined, at));
    expect(await refused(signIn(house, ADA, 'wrong horse again', at))).toBe('WRONG_CREDENTIALS');
    await done(signIn(house, ADA, undefined, at));
  });

  it('knows a place for 90 days, and for its person alone', async () => {
    await setUp(house);
    await done(signIn(house, ADA, undefined, { newDevice: 'laptop' }));
    const isDelayed = async (who: string) => {
      for (let i = 0; i < 5; i++) await signIn(house, who, `wrong horse ${i}`);
      return (await refused(signIn(house, who, 'wrong horse last', { device: 'laptop' }))) === 'SIGN_IN_DELAYED';
    };
    expect(await isDelayed('bob@example.com')).toBe(true);
    house.clock.advance({ days: 89 });
    expect(await isDelayed(ADA)).toBe(false);
    house.clock.advance({ days: 1 });
    expect(await isDelayed(ADA)).toBe(true);
  });

  it('forgets failures after a day without one', async () => {
    await setUp(house);
    for (let i = 0; i < 5; i++) await signIn(house, ADA, `wrong horse ${i}`);
    house.clock.advance({ hours: 25 });
    for (let i = 0; i < 5; i++) expect(await refused(signIn(house, ADA, `wrong horse ${i}`))).toBe('WRONG_CREDENTIALS');
    expect(await refused(signIn(house, ADA))).toBe('SIGN_IN_DELAYED');
  });

  it('hashes nothing for those who no longer wait', async () => {
    await setUp(house);
    const asked = Array.from({ length: 40 }, (_, i) =>
      house.bus
        .ask(
          SignIn,
          {
            email: email(`nobody${i}@example.com`),
            emailHash: hashOf(`nobody${i}`),
            password: password('wrong horse battery'),
            session: browser(),
            address: null,
            deviceHash: null,
          },
          { timeoutMs: 1 },
        )
        .catch((error: Error) => error.name),
    );
    await Promise.all(asked);
    await house.bus.idle();
    const counted = await house.database.rows('select 1 from account.sign_in_failures');
    expect(counted.length).toBeLessThan(40);
  });
});

const waitOf = (answer: Answer<typeof SignIn>): number =>
  !answer.ok && answer.refusal.code === 'SIGN_IN_DELAYED' ? answer.refusal.facts.seconds : 0;
