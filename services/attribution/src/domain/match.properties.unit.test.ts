import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aDevice,
  anAsk,
  aSighting,
  aTap,
  CHROME,
  HOME,
  hashOf,
  id,
  matching,
  minutesAgo,
  SAFARI,
} from '../values.testing.ts';
import type { Ask, PendingLink, Sighting } from './candidate.ts';
import { decide, MAX_LINKS } from './match.ts';
import type { Restore } from './past.ts';
import { createPool } from './pool.ts';
import { type RestoreRequest, restoreInOrder } from './restore.ts';

// There are few values of each kind, so that the generated values are often equal.
const app = fc.constantFrom(id(0xa), id(0xb));
const link = fc.integer({ min: 1, max: 3 }).map(id);
const email = fc.constantFrom(null, hashOf('kim@example.com'), hashOf('lee@example.com'));
const phone = fc.constantFrom(null, hashOf('phone 1'), hashOf('phone 2'));
const address = fc.constantFrom(null, HOME, hashOf('office'));
const platform = fc.constantFrom(null, 'ios' as const, 'android' as const);
const time = fc.integer({ min: 0, max: 60 }).map((n) => minutesAgo(n - 1));

const row = fc.record({
  appId: app,
  linkId: link,
  kind: fc.constantFrom('tap' as const, 'store' as const),
  tappedAt: fc.oneof(time, fc.constant(minutesAgo(40 * 24 * 60))),
  platform,
  address,
  userAgent: fc.constantFrom(null, SAFARI, CHROME),
  email: fc.oneof(fc.constant(null), email),
  fingerprint: fc.oneof(fc.constant(null), phone),
  others: fc.integer({ min: 0, max: 4 }),
  archivedAt: fc.constantFrom(null, null, null, minutesAgo(0)),
  expiresAt: fc.constantFrom(null, null, null, minutesAgo(0), minutesAgo(-60)),
  closedBy: fc.constantFrom(null, null, null, id(9)),
});
const rows = fc.array(row, { maxLength: 12 }).map((some) => some.map((one, i) => aTap({ ...one, id: id(0x100 + i) })));

const token = fc.oneof(
  fc.constant(null),
  fc.record({
    tapId: fc.integer({ min: 0x100, max: 0x10c }).map(id),
    linkId: link,
    tappedAt: time.map((at) => at.toISOString()),
  }),
);
const installedSecondsAgo = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 2 * 60 * 60 }));
const ask = fc
  .record({ appId: app, token, email, fingerprint: phone, address, platform, installedSecondsAgo })
  .map((one) => anAsk(one));
const device = fc.record({
  newSince: fc.oneof(time, fc.constant(minutesAgo(24 * 60))),
  sharedAt: fc.oneof(fc.constant(null), fc.constant(minutesAgo(24 * 60))),
});
const sighting = fc
  .record({
    device,
    lastHeartbeatAt: fc.constantFrom(null, minutesAgo(0)),
    others: fc.integer({ min: 0, max: 7 }),
    rollout: fc.constantFrom(null, { reason: 'young' as const, until: null, isFirstDay: false }),
    tokenSpent: fc.boolean(),
    given: fc.array(
      fc.record({
        linkId: link,
        at: time,
        matchType: fc.constantFrom('token' as const, 'email' as const, 'fingerprint' as const, 'address' as const),
        address,
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ device, ...rest }) => aSighting({ ...rest, device: aDevice(device) }));

const isLive = (one: PendingLink) =>
  one.archivedAt === null && (one.expiresAt === null || one.expiresAt > minutesAgo(0));
const isOpen = (one: PendingLink) => one.closedBy === null && isLive(one);
const inTime = (one: PendingLink, days: number) =>
  one.tappedAt <= minutesAgo(0) && one.tappedAt > minutesAgo(days * 24 * 60);

describe('any decision', () => {
  const property = (check: (ask: Ask, rows: PendingLink[], sighting: Sighting) => void) =>
    fc.assert(fc.property(ask, rows, sighting, check), { numRuns: 500 });

  it('gives only what is live, of this app, addressed to nobody else, and open but for its token', () => {
    property((ask, rows, sighting) => {
      const { matchType, taken } = decide(ask, rows, sighting);
      for (const one of taken) {
        expect([one.appId, isLive(one)]).toEqual([ask.appId, true]);
        if (matchType === 'token') expect([one.id, sighting.tokenSpent]).toEqual([ask.token?.tapId, false]);
        else expect(one.closedBy).toBeNull();
        if (matchType === 'email') expect(one.email).toBe(ask.email);
        if (matchType === 'fingerprint') {
          expect(one.fingerprint).toBe(ask.fingerprint);
          if (ask.email !== null && one.email !== null) expect(one.email).toBe(ask.email);
        }
        if (matchType === 'address')
          expect([one.address, one.email, one.fingerprint]).toEqual([ask.address, null, null]);
      }
    });
  });

  it('is made by the surest key that there is', () => {
    property((ask, rows, sighting) => {
      const { matchType } = decide(ask, rows, sighting);
      const live = rows.filter((one) => one.appId === ask.appId && isLive(one));
      const own = live.filter(isOpen);
      const named = live.some((one) => one.id === ask.token?.tapId && one.linkId === ask.token.linkId);
      if (named && !sighting.tokenSpent && sighting.given.length === 0) {
        expect(matchType).toBe('token');
      } else if (named && matchType === 'token') {
        expect(sighting.tokenSpent).toBe(false);
      } else if (ask.email !== null && own.some((one) => one.email === ask.email && inTime(one, 30))) {
        expect(matchType).toBe('email');
      } else {
        expect(['fingerprint', 'address', null]).toContain(matchType);
      }
    });
  });

  it('gives a device by address no link again that it was given since the tap', () => {
    property((ask, rows, sighting) => {
      const known = { ...sighting, device: aDevice({ ...sighting.device, sharedAt: null }) };
      const { matchType, taken } = decide(ask, rows, known);
      if (matchType !== 'address') return;
      const again = known.given.filter((one) => one.linkId === taken[0]!.linkId && one.at >= taken[0]!.tappedAt);
      expect(again).toEqual([]);
    });
  });

  it('gives by address while older users are reached nothing that it would not give otherwise', () => {
    property((ask, rows, sighting) => {
      const [careful, usual] = [{ reason: 'young' as const, until: null, isFirstDay: false }, null].map((rollout) =>
        decide(ask, rows, { ...sighting, rollout }),
      );
      if (careful!.matchType !== null) expect(careful).toEqual(usual);
    });
  });

  it('gives by address nothing that was tapped after the app was installed', () => {
    property((ask, rows, sighting) => {
      const { matchType, taken } = decide(ask, rows, sighting);
      if (matchType !== 'address' || ask.installedSecondsAgo === null) return;
      const installed = ask.now.getTime() - ask.installedSecondsAgo * 1_000;
      expect(taken.every(({ tappedAt }) => tappedAt.getTime() < installed)).toBe(true);
      expect(ask.installedSecondsAgo).toBeLessThan(60 * 60);
    });
  });

  it('decides as if links that are gone had never been tapped', () => {
    property((ask, rows, sighting) => {
      const decided = decide(ask, rows, sighting);
      const without = decide(ask, rows.filter(isLive), sighting);
      expect([decided.matchType, decided.taken]).toEqual([without.matchType, without.taken]);
    });
  });

  it('gives distinct links, at most 20, each of a row that is taken, and nothing without a tier', () => {
    property((ask, rows, sighting) => {
      const { matchType, taken, matches, verdicts } = decide(ask, rows, sighting);
      expect(new Set(matches.map((match) => match.linkId)).size).toBe(matches.length);
      expect(matches.length).toBeLessThanOrEqual(MAX_LINKS);
      expect(matches.every((match) => taken.some((one) => one.id === match.pendingLinkId))).toBe(true);
      expect(matches.length > 0).toBe(matchType !== null);
      expect(verdicts.filter((verdict) => verdict.taken).map((verdict) => verdict.row)).toEqual(taken);
      expect(verdicts.every((verdict) => verdict.reason.length <= 300)).toBe(true);
    });
  });

  it('does not depend on the order in which rows were found', () => {
    property((ask, rows, sighting) => {
      expect(decide(ask, [...rows].reverse(), sighting)).toEqual(decide(ask, rows, sighting));
    });
  });

  it('gives an anonymous device nothing where two browsers tapped two links', () => {
    const someMore = fc.array(row, { maxLength: 6 });
    fc.assert(
      fc.property(someMore, sighting, fc.integer({ min: 0, max: 29 }), (more, sighting, minutes) => {
        const here = { platform: null, tappedAt: minutesAgo(minutes) };
        const rows = [
          aTap({ platform: null, id: id(1), linkId: id(1), userAgent: SAFARI }),
          aTap({ ...here, id: id(2), linkId: id(2), userAgent: CHROME }),
          ...more.map((one, i) => aTap({ ...one, email: null, fingerprint: null, id: id(0x100 + i) })),
        ];
        expect(decide(anAsk({ fingerprint: hashOf('anybody') }), rows, sighting).taken).toEqual([]);
      }),
    );
  });
});

const weakerOf = (restores: readonly Restore[]) => restores.filter(({ matchType }) => matchType !== 'token');

describe('any batch', () => {
  const batch = fc.array(fc.tuple(ask, sighting, fc.boolean()), { maxLength: 8 }).map((some) =>
    some.map(
      ([one, sighting, gone], i): RestoreRequest => ({
        ...one,
        id: id(0x1000 + i),
        now: new Date(one.now.getTime() + i * 4_000),
        matching: matching({ windowMinutes: 60 }),
        claimant: one.email ?? one.fingerprint,
        sighting,
        expired: () => gone,
      }),
    ),
  );

  it('gives a pending link to one claimant at the most, and once more to whoever has its token', () => {
    fc.assert(
      fc.property(batch, rows, (asks, rows) => {
        const { restores, closings } = restoreInOrder(asks, createPool(rows), []);
        const first = restores.filter((restore) => restore.repeats === null);
        const [byToken = [], weaker = []] = [true, false].map((token) =>
          first.filter(({ matchType }) => (matchType === 'token') === token).flatMap(({ pendingIds }) => pendingIds),
        );
        expect(new Set(byToken).size).toBe(byToken.length);
        expect(new Set(weaker).size).toBe(weaker.length);
        expect(new Set(closings.map((closing) => closing.id)).size).toBe(closings.length);
        const claimants = Map.groupBy(
          weakerOf(restores).flatMap(({ claimant, id, pendingIds }) =>
            pendingIds.map((pendingId) => [pendingId, claimant ?? id]),
          ),
          ([pendingId]) => pendingId,
        );
        for (const claims of claimants.values()) expect(new Set(claims.map(([, claimant]) => claimant)).size).toBe(1);
        for (const { id, pendingIds } of restores.filter((restore) => restore.repeats === null)) {
          const closed = closings.filter((closing) => closing.by === id || closing.takesOver).map(({ id }) => id);
          expect(closed).toEqual(expect.arrayContaining([...pendingIds]));
        }
      }),
      { numRuns: 500 },
    );
  });
});
