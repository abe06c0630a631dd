import { describe, expect, it } from 'vitest';
import { aDevice, GIVEN, HOME, hashOf, id, minutesAgo, outcomeOfOne } from '../../values.testing.ts';
import type { Given, Sighting } from '../candidate.ts';

const DAYS = 24 * 60;

const metAgo = (minutes: number) => aDevice({ firstSeen: minutesAgo(minutes), newSince: minutesAgo(minutes) });
/** A device that was met here this many minutes earlier. */
const hereFor = (minutes: number) => ({ device: metAgo(minutes), firstHereAt: minutesAgo(minutes) });

describe('an install that the client tells', () => {
  const claims = (installedSecondsAgo: number, tappedMinutesAgo: number, sighting: Partial<Sighting> = hereFor(5)) =>
    outcomeOfOne({ tappedAt: minutesAgo(tappedMinutesAgo) }, sighting, { installedSecondsAgo });

  it('is believed when it was before the device was here', () => {
    expect([claims(5 * 60, 6), claims(20 * 60, 25)]).toEqual([GIVEN, GIVEN]);
  });

  it('is not believed more than a minute after that', () => {
    expect(claims(4 * 60, 6)).toBe(GIVEN);
    expect(claims(4 * 60 - 1, 6)).toBe(
      'the app says that it was installed 3 minutes earlier, but it was started on this device, at this address, 5 minutes earlier, so the app sends a wrong time, or it was installed again',
    );
  });

  it('gives no tap from when the device was here', () => {
    expect(claims(0, 5)).toBe(
      'tapped after the app was started on this device at this address, so the tap did not lead to the install',
    );
    expect(claims(4.5 * 60, 4.9)).toBe(
      'tapped after the app was started on this device at this address, so the tap did not lead to the install',
    );
  });

  it('is believed of a device that was met elsewhere: nobody may know yet that it is several phones', () => {
    expect(claims(60, 6, { device: metAgo(3 * DAYS), firstHereAt: minutesAgo(0) })).toBe(GIVEN);
  });

  it('is believed after a long absence', () => {
    const device = { ...metAgo(60 * DAYS), newSince: minutesAgo(1) };
    // Landfall forgets after a week who was at an address.
    expect(claims(60, 6, { device, firstHereAt: minutesAgo(1) })).toBe(GIVEN);
  });

  it('says nothing against another phone with the same fingerprint', () => {
    const shared = { ...metAgo(60 * DAYS), sharedAt: minutesAgo(3 * DAYS) };
    const tap = { platform: 'android', tappedAt: minutesAgo(6) } as const;
    expect(outcomeOfOne(tap, { device: shared }, { installedSecondsAgo: 60 })).toBe(GIVEN);
  });
});

describe('a device that got a link by address', () => {
  const got = (...given: (Partial<Given> & { minutes: number })[]) => ({
    given: given.map(({ minutes, ...one }) => ({
      linkId: id(9),
      at: minutesAgo(minutes),
      matchType: 'address' as const,
      address: HOME,
      ...one,
    })),
  });
  const device = metAgo(20);

  it('gets no other one for the install that it tells, and no other one in a day', () => {
    const installed = (given: object, minutes = 21, who = device) =>
      outcomeOfOne({ tappedAt: minutesAgo(25) }, { device: who, ...given }, { installedSecondsAgo: minutes * 60 });
    const refusal =
      'this device was given a link by address 10 minutes earlier, and one install gets one link by address';
    expect(installed(got({ minutes: 10 }))).toBe(refusal);
    expect(installed(got({ minutes: 10, address: hashOf('elsewhere') }))).toBe(refusal);
    expect(installed(got({ minutes: 10 }), 5)).toBe(refusal);
    expect(installed(got({ minutes: 10, matchType: 'email' }))).toBe(GIVEN);
    // That was another install.
    expect(installed(got({ minutes: 30 }))).toBe(GIVEN);
    expect(installed(got({ minutes: DAYS }), 1, metAgo(3 * DAYS))).toBe(GIVEN);
  });

  it('gets one more in a day when it tells no install', () => {
    expect(outcomeOfOne({}, { device, ...got({ minutes: 10 }) })).toBe(GIVEN);
    expect(outcomeOfOne({}, { device, ...got({ minutes: 15 }, { minutes: 10 }) })).toBe(
      'this device was given 2 links by address in the last 24 hours, and may get no more',
    );
  });

  it('is one of several phones: they get one a day at one address', () => {
    const shared = { ...metAgo(60 * DAYS), sharedAt: minutesAgo(3 * DAYS) };
    const at = (minutes: number, address = HOME) =>
      outcomeOfOne(
        { platform: 'android' },
        { device: shared, ...got({ minutes, address }) },
        { installedSecondsAgo: 30 },
      );
    expect(at(10)).toBe(
      'several phones look the same to Landfall, and one of them was given a link at this address 10 minutes earlier: this may be that phone again, and each install gets one link by address. A fingerprint of its own for each phone ends this check',
    );
    expect([at(10, hashOf('elsewhere')), at(DAYS)]).toEqual([GIVEN, GIVEN]);
  });
});

describe('many first starts at one address at one time', () => {
  it('are a crowd, whatever a client tells', () => {
    const refusal =
      'the app was started for the first time on more than 3 other devices at this address in the last 10 minutes, so nobody can tell whose tap this is';
    for (const ask of [{}, { installedSecondsAgo: 10, platform: 'ios' as const }]) {
      expect(outcomeOfOne({}, { newDevices: 3 }, ask)).toBe(GIVEN);
      expect(outcomeOfOne({}, { newDevices: 4 }, ask)).toBe(refusal);
    }
  });
});
