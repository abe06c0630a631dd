import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWhere } from '../hashes.ts';
import { aDevice, HOME, hashOf, id, matching, minutesAgo, NOON, SAFARI, SDK } from '../values.testing.ts';
import { asked, daysSince, type Heartbeat, heard, isFirstOfDay, isNew, isShared, met } from './device.ts';

const daysAgo = (n: number) => minutesAgo(n * 24 * 60);
const settings = matching();

describe('met', () => {
  it('is new for an hour', () => {
    expect(isNew(aDevice({ newSince: minutesAgo(59) }), NOON, 60)).toBe(true);
    expect(isNew(aDevice({ newSince: minutesAgo(60) }), NOON, 60)).toBe(false);
  });

  it('is not made older by being met', () => {
    const device = aDevice({ firstSeen: minutesAgo(5), newSince: minutesAgo(5), lastSeen: minutesAgo(5) });
    expect(met(met(device, NOON, 7), NOON, 7)).toEqual({ ...device, lastSeen: NOON });
  });

  it('is new again after a long absence, and only then', () => {
    const away = (n: number) => aDevice({ firstSeen: daysAgo(90), newSince: daysAgo(90), lastSeen: daysAgo(n) });
    expect(met(away(7), NOON, 7).newSince).toEqual(NOON);
    expect(met(away(6.9), NOON, 7).newSince).toEqual(daysAgo(90));
    expect(met(met(away(7), NOON, 7), NOON, 7)).toEqual(met(away(7), NOON, 7));
  });

  it('takes a late message for what it is', () => {
    const device = aDevice();
    expect(met(device, minutesAgo(3), 7)).toEqual({ ...device, firstSeen: minutesAgo(3) });
  });
});

it('asked: knows its latest restore, in whatever order they come', () => {
  const restores = [
    { id: id(1), at: minutesAgo(2) },
    { id: id(3), at: NOON },
    { id: id(2), at: NOON },
  ];
  for (const order of [restores, restores.toReversed(), [...restores, ...restores]])
    expect(order.reduce(asked, aDevice())).toEqual(aDevice({ lastRestoreId: id(3), lastRestoreAt: NOON }));
});

describe('heard', () => {
  interface Client {
    address?: string | null;
    userAgent?: string | null;
    platform?: Heartbeat['platform'];
  }
  const beat = (n: number, at: Date, { address = HOME, userAgent = SDK, platform = null }: Client = {}): Heartbeat => ({
    id: id(n),
    at,
    from: fromWhere(address, userAgent),
    platform,
  });
  const first = heard(aDevice(), beat(1, minutesAgo(60)), settings);

  it('remembers the first heartbeat for ever, and where the last came from', () => {
    const second = heard(first, beat(2, NOON, { userAgent: SAFARI }), settings);
    expect([first.firstHeartbeatId, second.firstHeartbeatId]).toEqual([id(1), id(1)]);
    const from = fromWhere(HOME, SAFARI);
    expect(second).toMatchObject({ lastHeartbeatId: id(2), lastHeartbeatAt: NOON, lastHeartbeatFrom: from });
    expect(fromWhere(null, SAFARI)).toBeNull();
  });

  it('knows a shared fingerprint by two heartbeats that are too close together', () => {
    expect(heard(first, beat(2, NOON), settings).sharedAt).toEqual(NOON);
    const elsewhere = beat(2, minutesAgo(60), { address: hashOf('elsewhere') });
    expect(heard(first, elsewhere, settings).sharedAt).toEqual(minutesAgo(60));
    const aDayLater = new Date(minutesAgo(60).getTime() + settings.sharedFingerprintMinutes * 60_000);
    expect(heard(first, beat(2, aDayLater), settings).sharedAt).toBeNull();
  });

  it.each([
    ['at once', 0, {}, false],
    ['half a minute later', 0.5, {}, false],
    ['ten minutes later', 10, {}, false],
    ['later than that', 10.01, {}, true],
    ['from another address', 1, { address: hashOf('elsewhere') }, true],
    ['from another user agent', 1, { userAgent: SAFARI }, true],
    ['from an address that nobody knows', 1, { address: null }, true],
    ['from a user agent that nobody knows', 1, { userAgent: null }, true],
  ])('tells a heartbeat that repeats the one before from another phone: %s', (_, after, from, several) => {
    const at = new Date(minutesAgo(60).getTime() + after * 60_000);
    const [early, late] = [beat(1, minutesAgo(60)), beat(2, at, from)];
    expect(heard(first, late, settings).sharedAt !== null).toBe(several);
    expect(heard(heard(aDevice(), late, settings), early, settings).sharedAt !== null).toBe(several);
  });

  it('takes nothing for a repetition that comes from nowhere', () => {
    for (const nowhere of [{ address: null }, { userAgent: null }]) {
      const unknown = heard(aDevice(), beat(1, minutesAgo(60), nowhere), settings);
      expect(heard(unknown, beat(2, minutesAgo(59), nowhere), settings).sharedAt).toEqual(minutesAgo(59));
    }
  });

  it('takes a repetition of a repetition for one', () => {
    const second = heard(first, beat(2, minutesAgo(52)), settings);
    expect(heard(second, beat(3, minutesAgo(44)), settings)).toMatchObject({ sharedAt: null, lastHeartbeatId: id(3) });
  });

  it('takes a heartbeat that comes again for the same one', () => {
    expect(heard(first, beat(1, minutesAgo(60)), settings)).toEqual(first);
    const second = heard(first, beat(2, NOON), settings);
    expect(heard(second, beat(1, minutesAgo(60)), settings)).toEqual(second);
    expect(heard(second, beat(2, NOON), settings)).toEqual(second);
    const nextDay = heard(first, beat(3, new Date(NOON.getTime() + 86_400_000)), settings);
    expect(heard(nextDay, beat(1, minutesAgo(60)), settings)).toEqual(nextDay);
  });

  it('finds two phones whichever of their heartbeats is delivered first', () => {
    const anywhere = fc.constantFrom(null, HOME, hashOf('elsewhere'));
    const any = fc.record({
      at: fc.integer({ min: 0, max: 30 * 60 }).map(minutesAgo),
      address: anywhere,
      userAgent: fc.constantFrom(null, SDK, SAFARI),
    });
    fc.assert(
      fc.property(any, any, (one, two) => {
        const [a, b] = [beat(1, one.at, one), beat(2, two.at, two)];
        const both = (...beats: Heartbeat[]) => {
          const after = beats.reduce(
            (device, next) => heard(device, next, settings),
            aDevice({ lastSeen: minutesAgo(0) }),
          );
          return { ...after, firstHeartbeatId: null, installedAt: null, activeHeartbeatId: null };
        };
        expect(both(a, b)).toEqual(both(b, a));
      }),
    );
  });

  it('keeps the platform that the latest heartbeat with one named', () => {
    const named = heard(first, beat(2, NOON, { platform: 'ios' }), settings);
    expect([first.platform, named.platform]).toEqual([null, 'ios']);
    const later = new Date(NOON.getTime() + 60_000);
    expect(heard(named, beat(3, later), settings).platform).toBe('ios');
    expect(heard(named, beat(3, later, { platform: 'android' }), settings).platform).toBe('android');
    expect(heard(named, beat(3, minutesAgo(1), { platform: 'android' }), settings).platform).toBe('ios');
  });

  it('counts the days of a device of an older version from its first sighting', () => {
    const device = { ...first, firstSeen: daysAgo(3), installedAt: null };
    expect(heard(device, beat(2, NOON), settings)).toMatchObject({ installedAt: daysAgo(3), activeHeartbeatId: id(2) });
  });

  it('forgets that it was shared after a month', () => {
    expect(isShared(aDevice({ sharedAt: daysAgo(29) }), NOON, 30)).toBe(true);
    expect(isShared(aDevice({ sharedAt: daysAgo(30) }), NOON, 30)).toBe(false);
    expect(isShared(aDevice(), NOON, 30)).toBe(false);
  });
});

describe('the days since the install', () => {
  /** Returns the days whose first heartbeat each of these is, in the order in which they come. */
  const daysOf = (times: readonly Date[]): number[] => {
    let device = aDevice({ firstSeen: daysAgo(99) });
    return times.flatMap((at, n) => {
      device = heard(device, { id: id(n + 1), at, from: null, platform: null }, settings);
      return device.activeHeartbeatId === id(n + 1) ? [daysSince(device.installedAt!, at)] : [];
    });
  };
  const someTimes = fc.array(fc.integer({ min: 0, max: 10 * 24 * 60 }), { minLength: 1, maxLength: 60 });

  it('are each sent once where heartbeats come in order', () => {
    fc.assert(
      fc.property(someTimes, (some) => {
        const times = some.toSorted((a, b) => b - a).map(minutesAgo);
        const days = times.map((at) => Math.floor((at.getTime() - times[0]!.getTime()) / 86_400_000));
        expect(daysOf(times)).toEqual([...new Set(days)].filter((day) => day > 0));
      }),
    );
  });

  it('are never sent twice, in whatever order heartbeats come', () => {
    fc.assert(
      fc.property(someTimes, (some) => {
        const days = daysOf(some.map(minutesAgo));
        expect(days).toEqual([...new Set(days)].filter((day) => day > 0).toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('the day of a device', () => {
  it('counts a device once in each of its days, at whatever times it is seen', () => {
    const times = fc.array(fc.integer({ min: 0, max: 10 * 24 * 60 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.string(), times, (name, some) => {
        const device = hashOf(name);
        const seen = some.toSorted((a, b) => b - a).map(minutesAgo);
        const counted = seen.filter((at, i) => isFirstOfDay(device, i === 0 ? null : seen[i - 1]!, at));
        expect(counted[0]).toEqual(seen[0]);
        expect(counted.length).toBeLessThanOrEqual(11);
        // Two times that are two days apart always lie on different days.
        for (let i = 1; i < seen.length; i++) {
          const isApart = seen[i]!.getTime() - seen[i - 1]!.getTime() >= 86_400_000;
          if (isApart) expect(counted).toContain(seen[i]);
        }
      }),
    );
  });

  it('counts in any 24 hours about as many as were seen in them', () => {
    const perHour = Array.from({ length: 72 }, () => 0);
    for (let n = 0; n < 2_000; n++) {
      const device = hashOf(`phone ${n}`);
      // The device is seen every morning at eight and every evening at nine.
      const seen = [8, 21, 32, 45, 56, 69].map((hour) => new Date(NOON.getTime() + hour * 3_600_000));
      seen.forEach((at, i) => {
        if (isFirstOfDay(device, i === 0 ? null : seen[i - 1]!, at))
          perHour[Math.floor(at.getTime() / 3_600_000 - NOON.getTime() / 3_600_000)]! += 1;
      });
    }
    for (const until of [45, 48, 56, 60, 69, 71]) {
      const counted = perHour.slice(until - 23, until + 1).reduce((sum, n) => sum + n, 0);
      expect(counted / 2_000).toBeGreaterThan(0.9);
      expect(counted / 2_000).toBeLessThan(1.1);
    }
  });

  it('counts nothing again that comes late', () => {
    expect(isFirstOfDay(hashOf('phone'), NOON, minutesAgo(3 * 24 * 60))).toBe(false);
    expect(isFirstOfDay(hashOf('phone'), NOON, NOON)).toBe(false);
  });
});
