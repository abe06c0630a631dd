import { describe, expect, it } from 'vitest';
import { aDevice, anAsk, aSighting, aTap, CHROME, hashOf, id, minutesAgo, NOON } from '../values.testing.ts';
import type { PendingLink } from './candidate.ts';
import { decide } from './match.ts';
import { considered, summarize } from './summary.ts';

const EMAIL = hashOf('kim@example.com');
const ask = anAsk({ email: EMAIL });
const summary = (rows: PendingLink[], sighting = aSighting()) => summarize(decide(ask, rows, sighting), ask);

describe('summarize', () => {
  it('says how many links, by what, and how old', () => {
    expect(summary([aTap({ tappedAt: minutesAgo(3) })])).toBe('1 link by address: tapped 3 minutes earlier');
    const stored = [aTap({ email: EMAIL }), aTap({ id: id(2), linkId: id(2), email: EMAIL, tappedAt: minutesAgo(2) })];
    expect(summary(stored)).toBe('2 links by email: the newest tapped 1 minute earlier');
  });

  it('says why nothing was given, each reason once', () => {
    const two = [aTap(), aTap({ id: id(2), linkId: id(2), userAgent: CHROME })];
    expect(summary(two)).toBe(
      'nothing: 2 different links were tapped at this network address, so nobody can tell which one is meant',
    );
    const known = aSighting({ device: aDevice({ newSince: minutesAgo(60 * 24) }) });
    const stored = aTap({ id: id(3), fingerprint: hashOf('phone'), email: hashOf('lee') });
    expect(summary([...two, stored], known)).toBe(
      'nothing: stored for another email; the device is not new: the app was first started on it 1 day earlier, and by address it must be less than 1 hour earlier',
    );
  });
});

describe('considered', () => {
  it('lists what was taken first, and not all of a crowd', () => {
    const crowd = Array.from({ length: 40 }, (_, i) => aTap({ id: id(i), tappedAt: minutesAgo(i / 10) }));
    const list = considered(decide(ask, crowd, aSighting()).verdicts);
    expect(list).toHaveLength(20);
    expect(list[0]).toEqual({
      pendingLinkId: id(0),
      linkId: id(1),
      tappedAt: NOON.toISOString(),
      matchType: 'address',
      taken: true,
      reason: 'tapped in the same second at this address, 1 person there',
    });
    expect(list.slice(1).some((one) => one.taken)).toBe(false);
  });

  it('lists the newest tap of each given link, also where a link was tapped often', () => {
    const often = Array.from({ length: 30 }, (_, i) =>
      aTap({ id: id(i), linkId: id(1), email: EMAIL, tappedAt: minutesAgo(1 + i / 10) }),
    );
    const once = aTap({ id: id(0x200), linkId: id(2), email: EMAIL, tappedAt: minutesAgo(9) });
    const { matches, verdicts } = decide(ask, [...often, once], aSighting());
    expect(matches.map(({ pendingLinkId }) => pendingLinkId)).toEqual([id(0x200), id(0)]);
    const list = considered(verdicts).map(({ pendingLinkId }) => pendingLinkId);
    expect(list.slice(0, 3)).toEqual([id(0), id(0x200), id(1)]);
  });
});
