// Checks the first starts: which ask for their links, and whether they fit the restores and the taps.
import { DeviceInstalled, LinkClicked, LinksRestored } from '@landfall/contracts';
import { expect, test } from 'vitest';
import { clicks, events, of } from '../sample.testing.ts';

const installs = events.filter(({ event }) => event === DeviceInstalled);
const starts = new Map(
  installs.flatMap(({ start, now, data }) => (start ? [[start.id, { ...start, now, data }]] : [])),
);
const clickOf = new Map(clicks.map((click) => [click.id, click]));

test('begin each install, and nothing else', () => {
  expect(starts.size).toBe(installs.length);
  expect(events.some(({ event, start }) => event !== DeviceInstalled && start !== undefined)).toBe(false);
});

test('ask with what finds the tap of their restore', () => {
  const wrong = of(LinksRestored).filter(({ data, now }) => {
    const start = starts.get(data.restoreId)!;
    const tap = clickOf.get(data.links.at(-1)!.pendingLinkId)!;
    const { token, address, ipv6, osMajor } = start.asks;
    const minutes = (now.getTime() - tap.now.getTime()) / 60_000;
    const isNamed = token?.tapId === tap.id && (token.from === 'referrer') === (data.platform === 'android');
    return !(
      start.at.getTime() === now.getTime() &&
      start.data.device === data.device &&
      address === tap.data.address &&
      (token === null) === (data.matchType === 'address') &&
      (token === null ? minutes < 30 || ipv6 === address : isNamed) &&
      (token?.from !== 'clipboard' || minutes < 10) &&
      (osMajor === null || tap.data.osVersion === null || osMajor === Number.parseInt(tap.data.osVersion, 10))
    );
  });
  expect(wrong).toEqual([]);
});

test('find nothing where nobody tapped, or nobody can tell who did', () => {
  const given = new Set(of(LinksRestored).map(({ data }) => data.restoreId));
  const lost = [...starts.values()].filter(({ id }) => !given.has(id));
  expect(lost.every(({ asks: { token, ipv6 } }) => token === null && ipv6 === null)).toBe(true);
  const byAddress = Map.groupBy(of(LinkClicked), ({ data }) => data.address);
  const tapsAt = lost.map(({ asks }) => byAddress.get(asks.address)?.length ?? 0);
  // In another network, and some too late.
  expect(tapsAt.filter((taps) => taps === 0).length).toBeGreaterThan(tapsAt.filter((taps) => taps > 0).length);
  expect(tapsAt.some((taps) => taps > 0)).toBe(true);
  const shared = [...byAddress.values()].filter((taps) => new Set(taps.map(({ data }) => data.userAgent)).size > 1);
  expect(shared.length / byAddress.size).toBeGreaterThan(0.03);
  expect(shared.length / byAddress.size).toBeLessThan(0.09);
});
