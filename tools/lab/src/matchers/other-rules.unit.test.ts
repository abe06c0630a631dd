import { describe, expect, it } from 'vitest';
import type { Install, Start, Tap } from '../world/events.ts';
import type { Phone } from '../world/phones.ts';
import { MINUTE } from '../world/time.ts';
import { otherRules } from './other-rules.ts';

const AT = 100 * MINUTE;
const HERE = 5;
const pixel = { platform: 'android', model: 3, osVersion: 1 } as Phone;

const aTap = (tap: Partial<Tap>): Tap =>
  ({ at: AT, link: 1, v4: HERE, platform: 'android', osVersion: null, model: null, ...tap }) as Tap;
const aStart = (start: Partial<Start> = {}): Start =>
  ({
    at: AT + 2 * MINUTE,
    v4: HERE,
    isFirst: true,
    heartbeatOnly: false,
    install: { phone: pixel } as Install,
    ...start,
  }) as Start;

/** Returns what each of the starts gets, by the rule. */
function given(name: string, taps: readonly Tap[], ...starts: readonly Start[]): (readonly number[])[] {
  const matcher = otherRules.find((rule) => rule.name === name)!.create();
  for (const tap of taps) matcher.tap(tap, 0);
  return starts.map((start) => matcher.start(start));
}

describe('rules of other products', () => {
  const taps = [aTap({ at: AT - 10 * MINUTE, link: 1 }), aTap({ link: 2 })];

  it('last-tap gives the newest tap at the address, at the first launch', () => {
    expect(given('last-tap', taps, aStart())).toEqual([[2]]);
    expect(given('last-tap', taps, aStart({ isFirst: false }))).toEqual([[]]);
    expect(given('last-tap', taps, aStart({ v4: 6 }))).toEqual([[]]);
    expect(given('last-tap', taps, aStart({ at: AT + 61 * MINUTE }))).toEqual([[]]);
    expect(given('last-tap', [aTap({ platform: 'ios' }), aTap({ platform: null })], aStart())).toEqual([[]]);
  });

  it('first-come gives it to whoever starts the app', () => {
    expect(given('first-come', taps, aStart({ isFirst: false }), aStart(), aStart())).toEqual([[2], [1], []]);
  });

  it('like-branch gives the newest tap of two hours that the browser does not contradict', () => {
    expect(given('like-branch', taps, aStart())).toEqual([[2]]);
    expect(given('like-branch', [aTap({ link: 1 }), aTap({ link: 2, model: 4 })], aStart())).toEqual([[1]]);
    expect(given('like-branch', taps, aStart({ at: AT + 119 * MINUTE }))).toEqual([[2]]);
    expect(given('like-branch', taps, aStart({ at: AT + 121 * MINUTE }))).toEqual([[]]);
  });

  it('like-grovs gives the only fresh tap of a browser that tells all', () => {
    const told = { model: 3, osVersion: 1 };
    const one = [aTap({ link: 1 }), aTap({ link: 2, ...told })];
    expect(given('like-grovs', one, aStart())).toEqual([[2]]);
    expect(given('like-grovs', one, aStart({ at: AT + 6 * MINUTE }))).toEqual([[]]);
    expect(given('like-grovs', [aTap({ link: 1, ...told }), aTap({ link: 2, ...told })], aStart())).toEqual([[]]);
    expect(given('like-grovs', taps, aStart())).toEqual([[]]);
  });

  it('everything gives each link once', () => {
    expect(given('everything', [...taps, aTap({ link: 2 })], aStart(), aStart())).toEqual([[2, 1], []]);
  });
});
