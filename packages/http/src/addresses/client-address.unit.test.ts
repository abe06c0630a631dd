import { describe, expect, it } from 'vitest';
import { addressFound, clientAddress, countedPeers, untrustedProxies } from './client-address.ts';
import { trustedPeers } from './forwarded-for.ts';

const from = (peer: string, forwarded?: string) => ({
  socket: { remoteAddress: peer },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
});
const nobody = trustedPeers(0);
const loopback = trustedPeers(['loopback']);

describe('clientAddress', () => {
  it('is the client of a trusted proxy', () => {
    const proxies = untrustedProxies(() => {});
    expect(clientAddress(from('::ffff:127.0.0.1', '203.0.113.7:1'), loopback, proxies)).toEqual({
      key: '203.0.113.7',
      site: null,
      matchable: true,
    });
    expect(clientAddress(from('::1', '2001:db8:1:2::3'), loopback)).toEqual({
      key: '2001:db8:1:2::/64',
      site: '2001:db8:1::/48',
      matchable: true,
    });
    expect(proxies.detail()).toBeUndefined();
  });

  it('matches nothing by an invalid address, and limits by the proxy that wrote it', () => {
    for (const said of ['unknown', '-', '', '""', '_hidden'])
      expect(clientAddress(from('127.0.0.1', said), loopback)).toEqual({
        key: '127.0.0.1',
        site: null,
        matchable: false,
      });
    expect(clientAddress({ socket: {}, headers: {} }, loopback)).toEqual({ key: '', site: null, matchable: false });
  });

  it('matches nothing by the address of an untrusted private peer, and warns once', () => {
    const warned: string[] = [];
    const proxies = untrustedProxies((peer) => warned.push(peer));
    for (let i = 0; i < 3; i++) {
      const address = clientAddress(from('10.0.0.1', '203.0.113.7'), nobody, proxies);
      expect(address).toEqual({ key: '10.0.0.1', site: null, matchable: false });
    }
    expect(warned).toEqual(['10.0.0.1']);
    expect(proxies.detail()).toContain('TRUST_PROXY');
    expect(proxies.count()).toBe(3);
  });

  it('ignores the header of a stranger on the internet', () => {
    const address = clientAddress(from('203.0.113.9', '1.2.3.4'), nobody);
    expect(address).toMatchObject({ key: '203.0.113.9', matchable: true });
  });

  it('matches a private peer that sends no header', () => {
    expect(clientAddress(from('192.168.1.5'), nobody).matchable).toBe(true);
  });
});

describe('the steps to an address', () => {
  it('are reported without recording anything', () => {
    const seen = addressFound(from('::ffff:10.0.0.1', `203.0.113.7, ${'x'.repeat(2_000)}`), nobody);
    expect(seen).toMatchObject({ peer: '10.0.0.1', trusted: false, address: '10.0.0.1', matchable: false });
    expect(seen.forwardedFor).toHaveLength(1_000);
  });

  it('have the bare address, and an invalid one as it was written', () => {
    const seen = (forwarded: string) => addressFound(from('127.0.0.1', forwarded), loopback);
    expect(seen('[2001:DB8::1]:443')).toMatchObject({ trusted: true, address: '2001:db8::1', matchable: true });
    expect(seen('unknown')).toMatchObject({ address: 'unknown', matchable: false });
    expect(seen('x'.repeat(2_000)).address).toHaveLength(100);
  });
});

const counted = countedPeers(trustedPeers(['loopback', '10.0.0.0/8']), 200);

it.each([
  ['127.0.0.1', []],
  ['::ffff:127.0.0.1', []],
  ['10.1.2.3', []],
  ['198.18.0.1', [{ name: '198.18.0.1', max: 200 }]],
  [
    '2001:db8:1:2::9',
    [
      { name: '2001:db8:1:2::/64', max: 200 },
      { name: '2001:db8:1::/48', max: 2_000 },
    ],
  ],
  ['', [{ name: '', max: 200 }]],
])('connections of %s count for %j', (peer, expected) => {
  expect(counted(peer)).toEqual(expected);
});

it('a number of hops trusts every peer', () => {
  expect(countedPeers(trustedPeers(1), 200)('198.18.0.1')).toEqual([]);
  expect(countedPeers(trustedPeers(0), 200)('198.18.0.1')).toHaveLength(1);
});
