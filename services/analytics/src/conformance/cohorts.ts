// Cohorts equal a count over the list of events: the installs of each day, and the devices of that day that came back.
import type { Bus } from '@landfall/bus';
import {
  type AnalyticsFilter,
  COHORT_DAYS,
  type DataOf,
  DeviceActive,
  DeviceInstalled,
  QueryCohorts,
} from '@landfall/contracts';
import { expect, it } from 'vitest';
import { APPS, clockOf, countedBy, type TestEvent } from '../random-events.testing.ts';

const DAY_MS = 86_400_000;
const ZONES = ['America/New_York', 'UTC'] as const;
const FILTERS: readonly (readonly AnalyticsFilter[])[] = [
  [],
  [{ dimension: 'platform', value: 'ios' }],
  [{ dimension: 'platform', value: null }],
  [
    { dimension: 'country', value: null },
    { dimension: 'country', value: 'DE' },
    { dimension: 'platform', value: 'android' },
  ],
];

export function cohortConformance(bus: () => Pick<Bus, 'ask'>, events: readonly TestEvent[]): void {
  it('cohorts have the installs of each day, and the devices that came back on each day after', async () => {
    let returned = 0;
    for (const [place, appId] of APPS.entries())
      for (const filters of FILTERS)
        for (const [from, to] of [
          ['2026-10-20', '2026-11-23'],
          ['2026-11-01', '2026-11-09'],
        ] as const) {
          const answer = await bus().ask(
            QueryCohorts,
            { appId, from, to, filters: [...filters] },
            { timeoutMs: 25_000 },
          );
          if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
          const clock = clockOf(ZONES[place]!);
          const wanted = countedIn(events, appId, filters, clock, [from, to]);
          const said = { appId, filters, from, to };
          const { cohorts } = answer.reply;
          expect(cohorts.length).toBe((Date.parse(to) - Date.parse(from)) / DAY_MS + 1);
          for (const { day, installs, active } of cohorts) {
            expect([said, day, installs]).toEqual([said, day, wanted.installs.get(day) ?? 0]);
            expect(active).toHaveLength(COHORT_DAYS);
            active.forEach((devices, i) => {
              const own = wanted.devices.get(`${day} ${i + 1}`)?.size ?? 0;
              // Two days after the last install of that day, on whatever clock.
              if (devices === null) expect(Date.now()).toBeLessThan(Date.parse(day) + (i + 4) * DAY_MS);
              else expect([said, day, i + 1, devices]).toEqual([said, day, i + 1, own]);
              returned += devices ?? 0;
            });
          }
        }
    expect(returned).toBeGreaterThan(0);
  });
}

function countedIn(
  events: readonly TestEvent[],
  appId: string,
  filters: readonly AnalyticsFilter[],
  clock: ReturnType<typeof clockOf>,
  [from, to]: readonly [string, string],
) {
  const isIn = (at: Date) => clock(at).day >= from && clock(at).day <= to;
  const fits = (read: (dimension: AnalyticsFilter['dimension']) => string | null) =>
    [...Map.groupBy(filters, ({ dimension }) => dimension)].every(([dimension, same]) =>
      same.some(({ value }) => value === read(dimension)),
    );
  const installs = new Map<string, number>();
  for (const { at, of } of countedBy(events, appId, 'installs')) {
    const { day } = clock(at);
    if (isIn(at) && fits(of)) installs.set(day, (installs.get(day) ?? 0) + 1);
  }
  // Two phones with one fingerprint are one device: its first install counts.
  const own = events.filter(({ data }) => data.appId === appId);
  const first = new Map<unknown, TestEvent>();
  for (const one of own.filter(({ event }) => event === DeviceInstalled)) {
    const known = first.get(one.data.device);
    if (known === undefined || one.now < known.now || (+one.now === +known.now && one.id < known.id))
      first.set(one.data.device, one);
  }
  const devices = new Map<string, Set<unknown>>();
  for (const { now, data } of own.filter(({ event }) => event === DeviceActive)) {
    const { device, day } = data as DataOf<typeof DeviceActive>;
    const install = first.get(device);
    if (install === undefined || day > COHORT_DAYS || clock(now).day < from) continue;
    if (!isIn(install.now) || !fits((dimension) => (install.data[dimension] as string | undefined) ?? null)) continue;
    const key = `${clock(install.now).day} ${day}`;
    devices.set(key, (devices.get(key) ?? new Set()).add(device));
  }
  return { installs, devices };
}
