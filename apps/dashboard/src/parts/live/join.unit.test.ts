import { expect, it } from 'vitest';
import { deviceIdIn, joined } from './join.ts';
import type { LiveItem } from './live-events.ts';

/** A hash, and its first half as a UUID. */
const HASH = Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - n)).toString('base64url');
const HALF = 'fffefdfc-fbfa-f9f8-f7f6-f5f4f3f2f1f0';

const row = (kind: LiveItem['kind'], second: number, device: string | null): LiveItem => ({
  id: `${kind} ${second}`,
  kind,
  at: new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString(),
  device,
});

it('joins a decision with the tap that it gave, and pushes and their registrations with each other', () => {
  const considered = [
    { taken: true, pendingLinkId: 'click 30' },
    { taken: false, pendingLinkId: 'click 29' },
  ];
  const rows = [
    { ...row('decision', 32, HASH), considered },
    row('pushSent', 31, HALF),
    row('click', 30, null),
    row('click', 29, null),
    row('registration', 29, 'b0000000-0000-4000-8000-000000000000'),
    row('pushSent', 28, 'a0000000-0000-4000-8000-000000000000'),
    row('registration', 27, 'c0000000-0000-4000-8000-000000000000'),
    row('pushSent', 1, HALF),
  ];
  expect(joined(rows).map((group) => group.map(({ id }) => id))).toEqual([
    ['decision 32', 'click 30'],
    ['pushSent 31', 'pushSent 28'],
    ['click 29'],
    ['registration 29', 'registration 27'],
    ['pushSent 1'],
  ]);
});

it('joins the rows of one device within seconds, also around those of others, and no later ones', () => {
  const rows = [
    row('active', 59, HALF),
    row('decision', 33, HASH),
    row('click', 32, null),
    row('install', 31, 'a0000000-0000-4000-8000-000000000000'),
    row('restore', 30, HALF),
    row('install', 21, HALF),
    row('click', 20, null),
    row('active', 1, HALF),
  ];
  const groups = joined(rows);
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([
    ['active 59'],
    ['decision 33', 'restore 30', 'install 21'],
    ['click 32'],
    ['install 31'],
    ['click 20'],
    ['active 1'],
  ]);
  expect(groups.map(deviceIdIn)).toEqual([null, HASH, null, null, null, null]);
});
