import { Busy } from '@landfall/bus';
import { ApiError } from '@landfall/http';
import { expect, it } from 'vitest';
import { createSignInGate } from './sign-in-gate.ts';

let addresses = 0;
const callOf = (key = `198.51.100.${addresses++}`, site: string | null = null) => ({
  address: { key, site, matchable: true },
  hasLeft: () => false,
});

/** Returns whether the call runs, whether it was admitted, and the function that ends it. */
async function tried(gate: ReturnType<typeof createSignInGate>, known: string | null, call = callOf()) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let entered = false;
  let refused = false;
  const ended = gate.run(known, call, () => {
    entered = true;
    return promise;
  });
  ended.catch(() => {
    refused = true;
  });
  await new Promise(setImmediate);
  return { entered: () => entered, refused: () => refused, ended, end: resolve };
}
type Tried = Awaited<ReturnType<typeof tried>>;
const crowdOf = (gate: ReturnType<typeof createSignInGate>, many: number, call?: () => ReturnType<typeof callOf>) =>
  Promise.all(Array.from({ length: many }, () => tried(gate, null, call?.())));
const refusedOf = (crowd: Tried[]) => crowd.filter(({ refused }) => refused()).length;

it('refuses strangers when 16 wait, and admits known browsers at once', async () => {
  const gate = createSignInGate();
  const crowd = await crowdOf(gate, 200);
  expect(refusedOf(crowd)).toBe(184);
  expect(crowd.filter(({ entered }) => entered())).toHaveLength(4);
  const error = await crowd.at(-1)!.ended.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'SIGN_IN_BUSY', more: { headers: { 'Retry-After': '2' } } });
  expect((await tried(gate, 'ada')).entered()).toBe(true);
  crowd[0]!.end();
  await crowd[0]!.ended;
  expect((await tried(gate, null)).refused()).toBe(false);
});

it.each([
  ['one address', () => callOf('203.0.113.1')],
  ['the addresses of one site', () => callOf(`2001:db8:1:${addresses++}::/64`, '2001:db8:1::/48')],
])('gives %s four places, so that others still get in', async (_, call) => {
  const gate = createSignInGate();
  expect(refusedOf(await crowdOf(gate, 100, call))).toBe(96);
  expect(refusedOf(await crowdOf(gate, 12))).toBe(0);
});

it('checks no password for a client who has left', async () => {
  const gate = createSignInGate();
  const crowd = await crowdOf(gate, 4);
  let left = false;
  const waiting = await tried(gate, null, { ...callOf(), hasLeft: () => left });
  left = true;
  for (const one of crowd) one.end();
  await expect(waiting.ended).rejects.toMatchObject({ code: 'SIGN_IN_BUSY' });
  expect(waiting.entered()).toBe(false);
});

it('gives one person two of the reserved places, and eight people all of them', async () => {
  const gate = createSignInGate();
  await crowdOf(gate, 16);
  const ofAda = await Promise.all(Array.from({ length: 3 }, () => tried(gate, 'ada')));
  expect(ofAda.map(({ entered }) => entered())).toEqual([true, true, false]);
  const others = await Promise.all(Array.from({ length: 7 }, (_, i) => tried(gate, `person ${i}`)));
  expect(others.filter(({ entered }) => entered())).toHaveLength(6);
  ofAda[0]!.end();
  await ofAda[0]!.ended;
  expect((await tried(gate, 'ada')).entered()).toBe(true);
});

it('refuses in the same way when too many wait for a hash, and passes other errors on', async () => {
  const gate = createSignInGate();
  await expect(gate.run(null, callOf(), () => Promise.reject(new Busy('full')))).rejects.toMatchObject({
    code: 'SIGN_IN_BUSY',
  });
  for (let i = 0; i < 40; i++)
    await expect(gate.run(null, callOf(), () => Promise.reject(new Error('other')))).rejects.toThrow('other');
});
