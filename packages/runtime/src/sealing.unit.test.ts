import { expect, test } from 'vitest';
import { createSealer } from './sealing.ts';

const sealer = createSealer('a secret of at least 32 characters');

test('what is sealed opens to what it was, for the same purpose', () => {
  for (const text of ['', 'correct horse battery staple', 'ß¿😀', 'x'.repeat(2_000)]) {
    const sealed = sealer.seal('password', text);
    expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]{38,}$/);
    if (text !== '') expect(Buffer.from(sealed.slice(3), 'base64url').includes(text)).toBe(false);
    expect(sealer.open('password', sealed)).toBe(text);
    expect(sealer.seal('password', text)).not.toBe(sealed);
  }
});

test('nothing opens it that should not', () => {
  const sealed = sealer.seal('password', 'secret');
  expect(() => sealer.open('email', sealed)).toThrow();
  expect(() => createSealer('another secret of 32 characters..').open('password', sealed)).toThrow();
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(() => sealer.open('password', `v1.${changed.toString('base64url')}`)).toThrow();
  }
  for (const wrong of ['', 'v1.', 'v1.AAAA', `v2.${sealed.slice(3)}`])
    expect(() => sealer.open('password', wrong)).toThrow();
});
