import fc from 'fast-check';
import proxyaddr from 'proxy-addr';
import { describe, expect, it } from 'vitest';
import { originOf, trustedPeers } from './forwarded-for.ts';

const PEER = '10.0.0.1';
const inside = trustedPeers(['loopback', '10.0.0.0/8', 'fd00::/8']);
const keyOf = (header: string | undefined, trusts = inside, peer = PEER) => originOf(peer, header, trusts).address?.key;

describe('the first untrusted hop', () => {
  it.each([
    [undefined, PEER],
    ['203.0.113.7', '203.0.113.7'],
    ['1.2.3.4, 203.0.113.7', '203.0.113.7'],
    ['1.2.3.4,203.0.113.7,10.0.0.9,127.0.0.1', '203.0.113.7'],
    ['203.0.113.7:55, 10.0.0.9:80, [fd00::1]:80', '203.0.113.7'],
    // All hops are trusted: the outermost.
    ['10.0.0.7, 10.0.0.8', '10.0.0.7'],
  ])('of %j is %s', (header, key) => {
    expect(keyOf(header)).toBe(key);
  });

  it('is the peer when nobody is trusted', () => {
    expect(keyOf('1.2.3.4', trustedPeers(['192.0.2.1']))).toBe(PEER);
    expect(keyOf('1.2.3.4', trustedPeers(0))).toBe(PEER);
  });

  it('is the given number of hops away', () => {
    expect(keyOf('1.2.3.4, 5.6.7.8', trustedPeers(1))).toBe('5.6.7.8');
    expect(keyOf('1.2.3.4, 5.6.7.8', trustedPeers(2))).toBe('1.2.3.4');
    expect(keyOf('1.2.3.4, 5.6.7.8', trustedPeers(9))).toBe('1.2.3.4');
    // With a number of hops, proxies are trusted with any address, e.g. over a socket of the machine.
    expect(keyOf('1.2.3.4, unix:', trustedPeers(2))).toBe('1.2.3.4');
  });
});

describe('an invalid address', () => {
  it.each([
    ['unknown', PEER],
    ['', PEER],
    [',', PEER],
    ['1.2.3.4,', PEER],
    ['1.2.3.4, -, 10.0.0.9:80', '10.0.0.9'],
    ['1.2.3.4, 10.0.0.8, "", [fd00::1]:80', 'fd00:0:0:0::/64'],
  ])('in %j counts for the last valid hop: %s', (header, counted) => {
    const origin = originOf(PEER, header, inside);
    expect(origin.address).toBeNull();
    expect(origin.counted?.key).toBe(counted);
  });

  it('counts for nothing when even the peer has no address', () => {
    expect(originOf('', '1.2.3.4', inside)).toEqual({ said: '', address: null, counted: null });
  });
});

it('reads bare addresses as express does', () => {
  const hop = fc.oneof(fc.constantFrom('10.0.0.1', '127.0.0.1', '10.9.9.9'), fc.ipV4(), fc.ipV6());
  const trust = fc.oneof(fc.nat(5), fc.constant<string[]>(['loopback', '10.0.0.0/8']));
  fc.assert(
    fc.property(hop, fc.array(hop, { maxLength: 8 }), trust, (peer, hops, by) => {
      const header = hops.length === 0 ? undefined : hops.join(', ');
      const headers = header === undefined ? {} : { 'x-forwarded-for': header };
      const express = typeof by === 'number' ? (_: string, i: number) => i < by : proxyaddr.compile(by);
      const expected = proxyaddr({ headers, socket: { remoteAddress: peer } } as never, express);
      expect(originOf(peer, header, trustedPeers(by)).said).toBe(expected);
    }),
  );
});

it('never throws, and ends on a header of any length', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 200 }), fc.nat(40), (peer, header, hops) => {
      for (const trusts of [inside, trustedPeers(hops)]) {
        const { address, counted } = originOf(peer, header, trusts);
        if (address) expect(counted).toBe(address);
      }
    }),
  );
  // A chain of proxies that is too long to judge.
  const long = Array(1_300).fill('10.0.0.1').join();
  expect(originOf(PEER, `203.0.113.7,${long}`, inside)).toMatchObject({ address: null, counted: { key: '10.0.0.1' } });
  expect(originOf(PEER, ','.repeat(16_000), trustedPeers(1_000)).address).toBeNull();
});
