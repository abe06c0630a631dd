import { createHmac } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { identityToken } from './identity-token.ts';

afterEach(() => void vi.useRealTimers());
const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

it('is a JWT with the user and an end, signed with HS256', async () => {
  vi.useFakeTimers({ now: 1_800_000_000_500 });
  const token = await identityToken('sëcret', 'ann+ü@example.com', { expiresInSeconds: 60 });
  const [head, claims, mac] = token.split('.') as [string, string, string];
  expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
  expect(read(claims)).toEqual({ sub: 'ann+ü@example.com', exp: 1_800_000_060 });
  expect(mac).toBe(createHmac('sha256', 'sëcret').update(`${head}.${claims}`).digest('base64url'));
});

it('is written in the letters of base64url', async () => {
  const tokens = Array.from({ length: 50 }, (_, n) => identityToken('s', 'ann', { expiresInSeconds: n + 1 }));
  for (const token of await Promise.all(tokens)) expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{43}$/);
});

it('refuses what Landfall would refuse', async () => {
  for (const expiresInSeconds of [0, -1, 86_401, Number.NaN])
    await expect(identityToken('s', 'ann', { expiresInSeconds })).rejects.toThrow(RangeError);
  await expect(identityToken(undefined, 'ann')).rejects.toThrow('secret');
  await expect(identityToken('s', ' ')).rejects.toThrow('email');
});
