import { createSealer } from '@landfall/runtime';
import { expect, it } from 'vitest';
import { openTransaction, ownPath, sealTransaction } from './transaction.ts';

const sealer = createSealer('a secret of thirty-two characters');
const began = new Date('2026-11-22T12:00:00.000Z');
const after = (seconds: number) => new Date(began.getTime() + seconds * 1000);
const way = {
  id: 'f0c1a5b4-7b0e-4c63-9d7a-2f9c5e1b8a34',
  state: 'a state',
  nonce: 'a nonce',
  verifier: 'a verifier',
  to: '/apps?tab=keys#x',
};
const sealed = sealTransaction(sealer, way, began);

it('opens with the secret, for ten minutes', () => {
  expect(openTransaction(sealer, sealed, after(0))).toMatchObject(way);
  expect(openTransaction(createSealer('a secret of thirty-two characters'), sealed, after(599))).toMatchObject(way);
  expect(openTransaction(sealer, sealed, after(600))).toBeNull();
  expect(openTransaction(createSealer('another of thirty-two characters'), sealed, began)).toBeNull();
});

it('is not opened from another sealed value or from a changed one', () => {
  const text = JSON.stringify({ ...way, until: after(600).getTime() });
  expect(openTransaction(sealer, sealer.seal('sign-in', text), began)).toMatchObject(way);
  expect(openTransaction(sealer, sealer.seal('tapped url', text), began)).toBeNull();
  for (const wrong of [
    'null',
    '{}',
    'no JSON',
    JSON.stringify({ ...way, until: after(600).getTime(), to: '//evil.example' }),
  ])
    expect(openTransaction(sealer, sealer.seal('sign-in', wrong), began)).toBeNull();
  for (let at = 0; at < sealed.length; at += 7) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'x' ? 'y' : 'x') + sealed.slice(at + 1);
    expect(openTransaction(sealer, changed, began), String(at)).toBeNull();
  }
  for (const none of [null, '', 'v1.', 'v1.AAAA']) expect(openTransaction(sealer, none, began)).toBeNull();
});

it('fits into a cookie with any path', () => {
  const to = `/${'\u2603'.repeat(511)}`;
  expect(ownPath().safeParse(to).success).toBe(true);
  expect(ownPath().safeParse(`${to}x`).success).toBe(false);
  const long = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };
  expect(sealTransaction(sealer, { ...way, ...long, to }, began).length).toBeLessThan(3_000);
});

it('goes to paths of our own only', () => {
  for (const path of ['/', '/apps', '/join', '/a?b=//c#d']) expect(ownPath().safeParse(path).success, path).toBe(true);
  for (const path of ['', '//x', '/\tx', 'https://x']) expect(ownPath().safeParse(path).success, path).toBe(false);
});
