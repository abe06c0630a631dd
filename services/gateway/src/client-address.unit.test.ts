import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressFound, addressKey, clientAddress, isPrivate, untrustedProxies } from './client-address.ts';

describe('addressKey', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });

  it('is the same for every address of a household', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        expect(addressKey(ip)).toBe(addressKey(ip.toUpperCase()));
      }),
    );
  });
});

it.each(['10.1.2.3', '192.168.0.1', '127.0.0.1', '::1', 'fd00::1', '100.64.0.1', '::ffff:10.0.0.1'])(
  '%s is private',
  (ip) => {
    expect(isPrivate(ip)).toBe(true);
  },
);

it.each(['203.0.113.7', '2001:db8::1', 'nonsense'])('%s is not private', (ip) => {
  expect(isPrivate(ip)).toBe(false);
});

describe('clientAddress', () => {
  const from = (peer: string, ip: string, forwarded?: string) => ({
    ip,
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });
  const nobody = () => false;

  it('takes what express made of the header', () => {
    const proxies = untrustedProxies(() => {});
    expect(clientAddress(from('10.0.0.1', '203.0.113.7', '203.0.113.7'), () => true, proxies)).toEqual({
      key: '203.0.113.7',
      matchable: true,
    });
    expect(proxies.detail()).toBeUndefined();
  });

  it('matches nothing by the address of an untrusted private peer, and says so once', () => {
    const warned: string[] = [];
    const proxies = untrustedProxies((peer) => warned.push(peer));
    for (let i = 0; i < 3; i++) {
      const address = clientAddress(from('10.0.0.1', '10.0.0.1', '203.0.113.7'), nobody, proxies);
      expect(address).toEqual({ key: '10.0.0.1', matchable: false });
    }
    expect(warned).toEqual(['10.0.0.1']);
    expect(proxies.detail()).toContain('TRUST_PROXY');
    expect(proxies.count()).toBe(3);
  });

  it('ignores the header of a stranger on the internet', () => {
    const address = clientAddress(
      from('203.0.113.9', '203.0.113.9', '1.2.3.4'),
      nobody,
      untrustedProxies(() => {}),
    );
    expect(address).toEqual({ key: '203.0.113.9', matchable: true });
  });

  it('matches a private peer that forwards for nobody', () => {
    const address = clientAddress(
      from('192.168.1.5', '192.168.1.5'),
      nobody,
      untrustedProxies(() => {}),
    );
    expect(address.matchable).toBe(true);
  });
});

it('says how an address was found out, and notes nothing of it', () => {
  const req = {
    ip: '::ffff:10.0.0.1',
    socket: { remoteAddress: '::ffff:10.0.0.1' },
    headers: { 'x-forwarded-for': `203.0.113.7, ${'x'.repeat(2_000)}` },
  };
  const seen = addressFound(req, () => false);
  expect(seen).toMatchObject({ peer: '10.0.0.1', trusted: false, address: '10.0.0.1', matchable: false });
  expect(seen.forwardedFor).toHaveLength(1_000);
});
