import { expect, test } from 'vitest';
import { countedPeers } from './counted-peers.ts';
import { trustedPeers } from './forwarded-for.ts';

const counted = countedPeers(trustedPeers(['loopback', '10.0.0.0/8']), 200);

test.each([
  ['127.0.0.1', []],
  ['::1', []],
  ['::ffff:127.0.0.1', []],
  ['10.1.2.3', []],
  ['198.18.0.1', [{ name: '198.18.0.1', max: 200 }]],
  ['::ffff:198.18.0.1', [{ name: '198.18.0.1', max: 200 }]],
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

test('a number of hops trusts every peer', () => {
  expect(countedPeers(trustedPeers(1), 200)('198.18.0.1')).toEqual([]);
  expect(countedPeers(trustedPeers(0), 200)('198.18.0.1')).toHaveLength(1);
});
