// Guesses at passwords: at one account from many addresses, and from one address at many accounts. The guesses are
// slowed and limited. A person who has signed in from the same address before can still sign in.
import { freshIp, peopleOf, type Received, samePage } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { systemOfFile } from '../calls.ts';

const GUESSES = 100;
/** The number of parallel guesses, as from an attacker who does not wait for answers. */
const AT_ONCE = 20;

const { system } = await systemOfFile();
const people = peopleOf(system);
const owner = await people.setUp();

const signIn = (email: string, password: string, ip: string) =>
  system.send({ method: 'POST', path: '/api/manage/session', body: { email, password }, headers: samePage, ip });

/** Returns the number of answers for each code. */
async function guess(one: (n: number) => Promise<Received>): Promise<Record<string, number>> {
  const codes: string[] = [];
  let next = 0;
  async function guesser(): Promise<void> {
    while (next < GUESSES) {
      const { status, json, headers } = await one(next++);
      codes.push(json.code);
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, guesser));
  return Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));
}

it('against one account from as many addresses: few are even looked at, and its person gets in where they are known', async () => {
  const ip = freshIp();
  const victim = await people.join(owner, owner.teamId, 'member');
  expect((await signIn(victim.email, victim.password, ip)).status).toBe(200);
  // More attempts arrive at once than there are places for callers that have not signed in before.
  const { SIGN_IN_BUSY, ...codes } = await guess(() => signIn(victim.email, 'not the password', freshIp()));
  expect(Object.keys(codes).sort()).toEqual(['SIGN_IN_DELAYED', 'WRONG_CREDENTIALS']);
  // The first five attempts have no delay. After them, one attempt is checked for each delay that has passed.
  expect(codes.WRONG_CREDENTIALS).toBeLessThan(20);
  expect((await signIn(victim.email, victim.password, ip)).status).toBe(200);
});

it('from one address against as many accounts: the address is limited, and nobody elsewhere is kept waiting', async () => {
  const guesser = freshIp();
  const victim = await people.join(owner, owner.teamId, 'member');
  const codes = await guess(async (n) =>
    signIn(n % 10 === 0 ? victim.email : people.newEmail(), 'not the password', guesser),
  );
  expect(codes.RATE_LIMITED).toBeGreaterThanOrEqual(GUESSES - 2 * 20);
  expect((await signIn(victim.email, victim.password, freshIp())).status).toBe(200);
});
