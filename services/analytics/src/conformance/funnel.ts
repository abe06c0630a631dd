// The funnel follows the same clicks from step to step, so that no step is larger than the one before.
import type { Bus } from '@landfall/bus';
import {
  type AnalyticsDimension,
  analyticsDimensions,
  type DataOf,
  DeviceActive,
  DeviceInstalled,
  type EventDef,
  LinkClicked,
  LinksRestored,
  QueryFunnel,
} from '@landfall/contracts';
import { expect, it } from 'vitest';
import { has } from '../domain/metrics.ts';
import {
  APPS,
  aClick,
  clockOf,
  followedIn,
  hashOf,
  NO_UTM,
  seeded,
  type TestEvent,
  uuidOf,
} from '../random-events.testing.ts';

const [APP] = APPS as [string];
const DAY_MS = 86_400_000;
const OF_CLICKS: readonly AnalyticsDimension[] = [...analyticsDimensions, 'label:inviter' as const].filter(
  (dimension) => has('clicks', dimension),
);

export function funnelConformance(bus: () => Pick<Bus, 'ask'>, events: readonly TestEvent[]): void {
  it('a funnel counts the clicks of a plain count, and never grows', async () => {
    const random = seeded(5);
    const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    const clock = clockOf('America/New_York');
    let opened = 0;
    for (let i = 0; i < 30; i++) {
      const groupBy = random() < 0.4 ? null : one(OF_CLICKS);
      const from = `2026-11-0${1 + Math.floor(random() * 9)}`;
      const inRange = followedIn(events, APP, ({ at }) => clock(at).day >= from && clock(at).day <= '2026-11-19');
      const filters = Array.from({ length: Math.floor(random() * 3) }, () => {
        const dimension = one(OF_CLICKS);
        return { dimension, value: one(inRange).of(dimension) };
      });
      const kept = inRange.filter(({ of }) =>
        [...Map.groupBy(filters, ({ dimension }) => dimension)].every(([dimension, same]) =>
          same.some(({ value }) => value === of(dimension)),
        ),
      );
      const input = { appId: APP, from, to: '2026-11-19', filters, groupBy, limit: 1_000 };
      const answer = await bus().ask(QueryFunnel, input, { timeoutMs: 25_000 });
      if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
      const given = answer.reply.groups.map(({ value, steps }) => [value, steps.map(({ count }) => count!)] as const);
      const groups = Map.groupBy(kept, ({ of }) => (groupBy === null ? null : of(groupBy)));
      if (groupBy === null && groups.size === 0) groups.set(null, []);
      const wanted = [...groups].map(([value, own]) => [
        value,
        [
          own.length,
          own.filter(({ restored }) => restored).length,
          own.filter(({ installed }) => installed).length,
          own.filter(({ opened }) => opened).length,
        ],
      ]);
      expect([input, new Map(given)]).toEqual([input, new Map(wanted as [string | null, number[]][])]);
      for (const [, steps] of given) expect(steps).toEqual(steps.toSorted((a, b) => b - a));
      opened += given.reduce((sum, [, steps]) => sum + steps.at(-1)!, 0);
    }
    expect(opened).toBeGreaterThan(0);
  });
}

/** People who go some steps: one or two taps, a start that gives them back, its install before or long ago, a return. */
export function journeys(): TestEvent[] {
  const random = seeded(9);
  const chance = (share: number) => random() < share;
  return Array.from({ length: 80 }, (_, n) => {
    const start = Date.parse('2026-11-01T12:00:00.000Z') + Math.floor(random() * 15 * DAY_MS);
    const device = hashOf(`traveller ${n}`);
    const event = <E extends EventDef>(event: E, name: string, after: number, data: Omit<DataOf<E>, 'appId'>) => ({
      event,
      id: uuidOf(`${name} of ${n}`),
      now: new Date(start + after),
      data: event.data.parse({ appId: APP, ...data }) as Record<string, unknown>,
    });
    const campaign = random() < 0.5 ? 'Spring' : 'spring ';
    const taps = (chance(0.4) ? ['tap', 'second tap'] : ['tap']).map((name, i) =>
      event(
        LinkClicked,
        name,
        i * 60_000,
        aClick({ appId: APP, linkId: uuidOf(`link ${n % 5}`), utm: { ...NO_UTM, campaign } }),
      ),
    );
    const links = taps.map(({ id, now, data }) => ({
      linkId: data.linkId as string,
      pendingLinkId: id,
      tappedAt: now.toISOString(),
    }));
    const of = { country: 'DE', platform: 'ios' as const, appVersion: null };
    const restored = chance(0.7)
      ? [
          event(LinksRestored, 'restore', 300_000, {
            restoreId: uuidOf(`r ${n}`),
            device,
            matchType: 'address',
            links,
            ...of,
          }),
        ]
      : [];
    const installed = chance(0.8)
      ? [event(DeviceInstalled, 'install', chance(0.8) ? 299_000 : -3 * DAY_MS, { device, ...of })]
      : [];
    const installedAt = new Date(start).toISOString();
    const active = chance(0.6)
      ? [event(DeviceActive, 'return', 2 * DAY_MS, { device, installedAt, day: 2, ...of })]
      : [];
    return [...taps, ...restored, ...installed, ...active];
  }).flat();
}
