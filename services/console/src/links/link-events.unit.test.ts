import type { App, Tap } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { outcomeOf } from './link-events.ts';

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
