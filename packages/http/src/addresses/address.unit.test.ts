import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPrivate, readAddress } from './address.ts';

const keyOf = (text: string) => readAddress(text)?.key;

describe('the key of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:', '203.0.113.7'],
    [' 203.0.113.7\t', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[fe80::1%eth0.100]:1', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    // Translators of the site itself.
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['64:ff9b::10.0.0.7', '10.0.0.7'],
    ['64:ff9b:1::203.0.113.7', '203.0.113.7'],
    ['64:ff9b:1:abcd::203.0.113.7', '203.0.113.7'],
    ['::ffff:0:203.0.113.7', '203.0.113.7'],
    // Another form of RFC 6052, which does not end with the address.
    ['64:ff9b:1:cb00:71:700::', '64:ff9b:1:cb00::/64'],
    // Tunnels: the examples of RFC 4380 and RFC 3056.
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '192.0.2.45'],
    ['2002:c000:204::1', '192.0.2.4'],
    // Private addresses: forged.
    ['2002:a00:1::1', '2002:a00:1:0::/64'],
    ['2002:7f00:1::1', '2002:7f00:1:0::/64'],
    ['2001:0:4136:e378:8000:63bf:f5ff:fffe', '2001:0:4136:e378::/64'],
  ])('of %s is %s', (text, key) => {
    expect(keyOf(text)).toBe(key);
  });

  it('has its /48 if it is IPv6', () => {
    expect(readAddress('2001:db8:1:2::1')?.site).toBe('2001:db8:1::/48');
    expect(readAddress('64:ff9b::203.0.113.7')?.site).toBeNull();
    expect(readAddress('203.0.113.7')?.site).toBeNull();
  });
});

it.each([
  ...[
    '',
    '""',
    'unknown',
    '_hidden',
    '1',
    '127.1',
    '0x7f.0.0.1',
    '01.2.3.4',
    '1.2.3.4.5',
    '256.1.1.1',
    '203.0.113.0/24',
  ],
  ...['1.2.3.4 5', '1.2.3.4%eth0', '1.2.3.4:port', '[1.2.3.4]:80', '[::1', '::1]', '[]:80', 'for=203.0.113.7'],
  ...['1::2::3', 'fe80::1%', 'fe80::1%a b', '::%::', '1::1%:', '12345::', '2001:db8::/32', 'a'.repeat(16_000)],
  // Addresses that no client has.
  ...['0.0.0.0', '0.1.2.3', '224.0.0.1', '239.1.1.1', '255.255.255.255', '::', 'ff02::1', '::ffff:0.0.0.0', '[::]:80'],
])('%j is not a client’s address', (text) => {
  expect(readAddress(text)).toBeNull();
});

it.each([
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['2002:7f00:1::1', '2002:7f00:1::1'],
  ['64:ff9b::127.0.0.1', '64:ff9b::127.0.0.1'],
  ['[FD00::1%eth0]:80', 'fd00::1'],
])('%s is trusted as %s, and not as an address inside it', (text, ip) => {
  expect(readAddress(text)?.ip).toBe(ip);
});

it.each([
  ...['10.1.2.3', '192.168.0.1', '127.0.0.1', '::1', 'fd00::1', '100.64.0.1', '::ffff:10.0.0.1'].map((ip) => [
    ip,
    true,
  ]),
  ...['203.0.113.7', '2001:db8::1', 'nonsense'].map((ip) => [ip, false]),
] as [string, boolean][])('%s is private: %s', (ip, expected) => {
  expect(isPrivate(ip)).toBe(expected);
});

describe('any text', () => {
  const ports = fc.option(fc.nat(99_999), { nil: undefined });
  const zones = fc.option(fc.stringMatching(/^[\w.-]{1,12}$/), { nil: undefined });

  it('gives a key of an address, or nothing', () => {
    const pieces = ['::', ':', '.', '[', ']', '"', '%', 'ffff', '64:ff9b::', '1.2.3.4', 'unknown', ' ', '0'];
    const said = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...pieces)).map((all) => all.join('')),
      fc.ipV4(),
      fc.ipV6(),
    );
    fc.assert(
      fc.property(said, (text) => {
        const address = readAddress(text);
        if (address === null) return;
        expect(isIP(address.ip)).not.toBe(0);
        expect(address.key).toMatch(/^(?:\d+(?:\.\d+){3}|[\da-f]+(?::[\da-f]+){3}::\/64)$/);
        expect(isIP(address.key.replace('/64', ''))).not.toBe(0);
      }),
    );
  });

  it('is the same with ports, brackets, quotes, zones and in any case', () => {
    const spelt = fc.record({ port: ports, zone: zones, quoted: fc.boolean(), upper: fc.boolean() });
    fc.assert(
      fc.property(fc.ipV6(), spelt, (ip, { port, zone, quoted, upper }) => {
        const zoned = (upper ? ip.toUpperCase() : ip) + (zone === undefined ? '' : `%${zone}`);
        const text = port === undefined ? zoned : `[${zoned}]:${port}`;
        expect(readAddress(quoted ? `"${text}"` : text)).toEqual(readAddress(ip));
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), ports, fc.boolean(), (ip, port, quoted) => {
        const text = port === undefined ? ip : `${ip}:${port}`;
        expect(readAddress(quoted ? `"${text}"` : text)).toEqual(readAddress(ip));
        expect(keyOf(`[::ffff:${ip}]:1`)).toBe(keyOf(ip));
      }),
    );
  });

  it('is one household for one /64, and one site for one /48', () => {
    const part = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
    const ends = fc.tuple(part, part, part, part).map((parts) => parts.join(':'));
    fc.assert(
      fc.property(part, part, part, ends, ends, (site, home, other, a, b) => {
        const [one, two] = [readAddress(`2400:${site}:1:${home}:${a}`)!, readAddress(`2400:${site}:1:${home}:${b}`)!];
        expect([two.key, two.site]).toEqual([one.key, one.site]);
        expect(readAddress(`2400:${site}:1:${other}:${a}`)!.site).toBe(one.site);
      }),
    );
  });
});
