import type { App, Tap } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { type Found, outcomeOf } from './link-events.ts';

it.each([
  [10_000, 'pending', /a moment ago/],
  [3 * 3_600_000, 'unknown', /is not kept/],
  [365 * 86_400_000, 'unknown', /older than the 30 days/],
])('a tap of %i ms ago that nothing is kept of is %s, and says why', (age, state, why) => {
  const now = new Date();
  const tap = { at: new Date(now.getTime() - age).toISOString(), platform: 'ios', answered: 'store' } as Tap;
  const app = { matching: { tokenDays: 7 } } as App;
  expect(outcomeOf(tap, undefined, app, now)).toMatchObject({ state, why: expect.stringMatching(why) });
});

const HOUR_MS = 3_600_000;

it.each([
  ['in its window', 1.9, {}, {}, 'pending', /^No start of the app has asked/],
  ['after its window', 2, {}, {}, 'unclaimed', /^No start asked for it in the 2 hours .* Only a token from the tap/],
  ['after a window of its app', 1, { ipv6WindowMinutes: 45 }, {}, 'unclaimed', /in the hour in which/],
  ['that a start considered', 2, {}, { reason: 'too old' }, 'unclaimed', /^too old\. Only a token from the tap/],
  ['of an app that asks for exact keys', 2, { evidence: 'exact' }, {}, 'pending', /./],
  ['whose token is too old', 7 * 24, {}, {}, 'expired', /within 7 days/],
])('a tap that waits, %s, has its state and its reason', (_, hours, changed, known, state, why) => {
  const now = new Date();
  const tap = {
    at: new Date(now.getTime() - hours * HOUR_MS).toISOString(),
    platform: 'ios',
    answered: 'store',
  } as Tap;
  const windows = { windowMinutes: 60, modelWindowMinutes: 60, ipv6WindowMinutes: 120 };
  const matching = { tokenDays: 7, evidence: 'address', ...windows, ...changed } as App['matching'];
  const found = { state: 'pending', restoreId: null, device: null, reason: null, ...known } as unknown as Found;
  expect(outcomeOf(tap, found, { matching }, now)).toMatchObject({ state, why: expect.stringMatching(why) });
});
