import { randomUUID } from 'node:crypto';
import { plainEmail } from '@landfall/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashes } from './hashes.ts';

const ours = hashes('a secret of thirty-two characters');
const appId = randomUUID();

describe('hashes', () => {
  it('are the same for an email in any spelling', () => {
    expect(ours.email('  Ann@Example.COM ')).toBe(ours.email('ann@example.com'));
  });

  it.each([
    ['ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ann@example.com'],
    ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['\u212aim@example.com', 'kim@example.com'],
    ['ﬁona@example.com', 'fiona@example.com'],
    ['\u00a0ann@example.com\u3000', 'ann@example.com'],
  ])('are the same for %s as for %s', (one, other) => {
    expect(ours.email(one)).toBe(ours.email(other));
  });

  it('have a format that never changes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainEmail(plainEmail(text))).toBe(plainEmail(text));
      }),
      { numRuns: 1_000 },
    );
    for (let code = 0; code < 0x3400; code++) {
      const plain = plainEmail(`a${String.fromCharCode(code)}b`);
      if (plainEmail(plain) !== plain) expect(plainEmail(plain), code.toString(16)).toBe(plain);
    }
  });

  it('do not change for emails and ids that were already plain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(plainEmail(text)).toBe(text.trim().toLowerCase());
      }),
    );
  });

  it('differ by kind, by value and by secret', () => {
    const all = [
      ours.email('a'),
      ours.fingerprint('a'),
      ours.userAgent('a'),
      ours.address({ key: 'a', site: null, matchable: true }),
      ours.limited('a'),
      ours.email('b'),
      hashes('another secret of thirty-two chars').email('a'),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const hash of all) expect(hash).toMatch(/^[\w-]{43}$/);
  });

  it('are not made of an address that strangers share', () => {
    expect(ours.address({ key: '10.0.0.1', site: null, matchable: false })).toBeNull();
  });
});

describe('a signed tap', () => {
  const tap = { tapId: randomUUID(), linkId: randomUUID(), tappedAt: '2026-11-21T12:00:00.123Z' };
  const token = ours.signTap(appId, tap);

  it('has its signed content', () => {
    expect(ours.readTap(appId, token)).toEqual(tap);
    expect(token).toMatch(/^[\w-]{72}$/);
  });

  it('is invalid for another app or under another secret', () => {
    expect(ours.readTap(randomUUID(), token)).toBeNull();
    expect(hashes('another secret of thirty-two chars').readTap(appId, token)).toBeNull();
  });

  it('is invalid when a bit of it is changed', () => {
    fc.assert(
      fc.property(fc.nat(53), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bytes = Buffer.from(token, 'base64url');
        bytes[at] = bytes[at]! ^ flip;
        expect(ours.readTap(appId, bytes.toString('base64url'))).toBeNull();
      }),
    );
  });

  it('never throws on outside input', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(ours.readTap(appId, text)).toBeNull();
      }),
    );
  });
});

describe('the token of an address', () => {
  const address = ours.address({ key: '2001:db8::/64', site: '2001:db8::/48', matchable: true })!;
  const device = ours.fingerprint('phone');
  const until = Date.now() + 600_000;
  const now = until - 1;

  it('proves the address until it ends, for its app and its device', () => {
    const token = ours.signAddress(appId, { address, device, until });
    expect(ours.readAddress(appId, token, device, now)).toBe(address);
    expect(ours.readAddress(appId, token, device, until)).toBeNull();
    expect(ours.readAddress(randomUUID(), token, device, now)).toBeNull();
    expect(ours.readAddress(appId, token, ours.fingerprint('another'), now)).toBeNull();
    expect(ours.readAddress(appId, token, null, now)).toBeNull();
    expect(hashes('another secret of thirty-two chars').readAddress(appId, token, device, now)).toBeNull();
  });

  it('that is bound to no device works for every device of the app', () => {
    const token = ours.signAddress(appId, { address, device: null, until });
    expect(ours.readAddress(appId, token, device, now)).toBe(address);
  });

  it('is nothing else, and nothing else is one', () => {
    const token = ours.signAddress(appId, { address, device, until });
    const changed = `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`;
    const tap = { tapId: randomUUID(), linkId: randomUUID(), tappedAt: new Date().toISOString() };
    for (const wrong of ['', 'x', changed, ours.signTap(appId, tap)])
      expect(ours.readAddress(appId, wrong, device, now)).toBeNull();
    expect(ours.readTap(appId, token)).toBeNull();
  });
});

it('the token of a tap works in its own place only', () => {
  const tap = { tapId: randomUUID(), linkId: randomUUID(), tappedAt: new Date().toISOString() };
  expect(ours.readTap(appId, ours.signTap(appId, tap, 'clipboard'), 'clipboard')).toEqual(tap);
  expect(ours.readTap(appId, ours.signTap(appId, tap, 'clipboard'))).toBeNull();
  expect(ours.readTap(appId, ours.signTap(appId, tap), 'clipboard')).toBeNull();
});

it('the hash of a model is the same however it is written', () => {
  expect(ours.model(' Pixel  8 ')).toBe(ours.model('pixel 8'));
  // Samsung's browser writes the maker before it.
  expect(ours.model('SAMSUNG SM-S918B')).toBe(ours.model('SM-S918B'));
  expect(ours.model('HUAWEI VNS-L31')).toBe(ours.model('VNS-L31'));
  expect(ours.model('Vivo')).not.toBe(ours.model('Oppo'));
  expect(ours.model('Pixel 8')).not.toBe(ours.model('Pixel 8 Pro'));
  expect(ours.model('Pixel 8')).toMatch(/^[\w-]{11}$/);
});

it('tells whether two secrets are equal, and nothing else', () => {
  const [one, same, other] = ['a'.repeat(32), 'a'.repeat(32), 'b'.repeat(32)].map((secret) => hashes(secret).check());
  expect(one).toBe(same);
  expect(one).not.toBe(other);
  expect(one).toMatch(/^[0-9a-f]{8}$/);
});
