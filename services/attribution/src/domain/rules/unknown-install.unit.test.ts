import { describe, expect, it } from 'vitest';
import { aDevice, GIVEN, minutesAgo, outcomeOfOne } from '../../values.testing.ts';
import type { Ask, Sighting } from '../candidate.ts';

const DAYS = 24 * 60;

describe('a fingerprint that several phones have', () => {
  const device = aDevice({
    sharedAt: minutesAgo(3 * DAYS),
    firstSeen: minutesAgo(9 * DAYS),
    newSince: minutesAgo(9 * DAYS),
  });
  const shared = { device, lastHeartbeatAt: minutesAgo(0.1) };
  const at = (minutes: number, newcomers: number) =>
    outcomeOfOne({ platform: 'android', tappedAt: minutesAgo(minutes) }, { ...shared, newcomers });

  it('is that of an Android phone, unless the client names another platform', () => {
    expect(outcomeOfOne({}, shared)).toBe('tapped on an iPhone, and the app was started on an Android phone');
    expect(outcomeOfOne({}, shared, { platform: 'ios' })).toBe(GIVEN);
    expect(outcomeOfOne({}, { ...shared, device: { ...device, platform: 'ios' } })).toBe(GIVEN);
    expect(outcomeOfOne({ platform: 'android' }, shared)).toBe(GIVEN);
  });

  it('gets a tap within the minutes that the newcomers of a week share', () => {
    expect([at(24, 0), at(24, 1), at(6, 4)]).toEqual([GIVEN, GIVEN, GIVEN]);
    expect(at(25, 0)).toBe(
      'tapped 25 minutes earlier: 1 device came to this address for the first time in the last 7 days, so the tap must be less than 25 minutes old',
    );
    expect(at(9, 4)).toBe(
      'tapped 9 minutes earlier: 4 devices came to this address for the first time in the last 7 days, so the tap must be less than 6 minutes old',
    );
  });

  it('gets it whoever came, when the client says when the app was installed', () => {
    const tap = { platform: 'android', tappedAt: minutesAgo(20) } as const;
    expect(outcomeOfOne(tap, { ...shared, newcomers: 30 }, { installedSecondsAgo: 60 })).toBe(GIVEN);
  });
});

describe('a device that came back', () => {
  const device = aDevice({ firstSeen: minutesAgo(20 * DAYS), newSince: minutesAgo(1) });
  const back = (sighting: Partial<Sighting>, minutes = 5) =>
    outcomeOfOne({ tappedAt: minutesAgo(minutes) }, { device, ...sighting });

  it('gets a tap among few people, of whom few are new here', () => {
    expect(back({ others: 7, newcomers: 4 })).toBe(GIVEN);
    expect(back({ others: 8, newcomers: 1 })).toBe(
      'the app was started again on this device 1 minute earlier, after at least 7 days: this may be no install but a user who came back, so at most 6 others may have been at this address in the last 24 hours, and there were 7',
    );
    expect(back({ others: 7, newcomers: 5 })).toBe(
      'tapped 5 minutes earlier: 5 devices came to this address for the first time in the last 7 days, so the tap must be less than 5 minutes old',
    );
  });
});

describe('a device with a fingerprint of its own that names no platform', () => {
  const at = (minutes: number, sighting: Partial<Sighting> = {}, ask: Partial<Ask> = {}) =>
    outcomeOfOne({ platform: 'android', tappedAt: minutesAgo(minutes) }, sighting, ask);
  const whyOf = (ago: string) =>
    `tapped on Android ${ago} earlier, and the app does not send its platform, Android or iPhone`;

  it('gets a tap on Android only when it is fresh and hardly anybody is there', () => {
    expect([at(14), at(14, { others: 3 })]).toEqual([GIVEN, GIVEN]);
    expect([at(15), at(1, { others: 4 })]).toEqual([
      `${whyOf('15 minutes')}: so the tap must be less than 15 minutes old`,
      `${whyOf('1 minute')}: so at most 2 others may be at this address, and there were 3`,
    ]);
  });

  it('gets every other tap', () => {
    expect(outcomeOfOne({ tappedAt: minutesAgo(15) }, { others: 4 })).toBe(GIVEN);
    expect(at(15, { others: 4 }, { platform: 'android' })).toBe(GIVEN);
    expect(at(15, { others: 4, device: aDevice({ platform: 'android' }) })).toBe(GIVEN);
    expect(at(15, { others: 4 }, { installedSecondsAgo: 60 })).toBe(GIVEN);
  });
});
