import { Busy } from '@landfall/bus';
import { expect, it } from 'vitest';
import { ApiError } from '../http/errors.ts';
import { createSignInGate } from './sign-in-gate.ts';

/** Returns whether the call was admitted, and the function that ends it. */
function tried(gate: ReturnType<typeof createSignInGate>, known: string | null) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let entered = false;
  const ended = gate.run(known, () => {
    entered = true;
    return promise;
  });
  ended.catch(() => {});
  return { entered, ended, end: resolve };
}

it('refuses strangers when 16 wait, and still admits known browsers', async () => {
  const gate = createSignInGate();
  const crowd = Array.from({ length: 200 }, () => tried(gate, null));
  expect(crowd.filter(({ entered }) => entered)).toHaveLength(16);
  const error = await crowd.at(-1)!.ended.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'SIGN_IN_BUSY', more: { headers: { 'Retry-After': '2' } } });
  expect(tried(gate, 'ada').entered).toBe(true);
  crowd[0]!.end();
  await crowd[0]!.ended;
  expect(tried(gate, null).entered).toBe(true);
});

it('gives one person two of the reserved places, and eight people all of them', async () => {
  const gate = createSignInGate();
  for (let i = 0; i < 16; i++) tried(gate, null);
  const ofAda = Array.from({ length: 3 }, () => tried(gate, 'ada'));
  expect(ofAda.map(({ entered }) => entered)).toEqual([true, true, false]);
  const others = Array.from({ length: 7 }, (_, i) => tried(gate, `person ${i}`));
  expect(others.filter(({ entered }) => entered)).toHaveLength(6);
  ofAda[0]!.end();
  await ofAda[0]!.ended;
  expect(tried(gate, 'ada').entered).toBe(true);
});

it('refuses in the same way when the service is busy, and passes other errors on', async () => {
  const gate = createSignInGate();
  await expect(gate.run(null, () => Promise.reject(new Busy('full')))).rejects.toMatchObject({ code: 'SIGN_IN_BUSY' });
  for (let i = 0; i < 40; i++)
    await expect(gate.run(null, () => Promise.reject(new Error('other')))).rejects.toThrow('other');
});
