import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { usual, type Values } from '../assumptions/assumptions.ts';
import { type WorldSpec, worlds } from '../assumptions/worlds.ts';
import type { Start, Tap } from './events.ts';
import { type History, simulate } from './history.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

const size = { users: 4_000, warmUp: 1, days: 4 };
const DAYS = size.warmUp + size.days;
const worldWith = (values: Partial<Values> = {}): WorldSpec => ({
  name: 'usual',
  says: '',
  values: { ...usual, wholeUsers: 4_000, ...values },
});

const share = <T>(all: readonly T[], is: (one: T) => boolean): number => all.filter(is).length / all.length;

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

const startsOf = ({ starts }: History): Start[] => starts.all.filter(({ at }) => at >= 0);

describe('a seed', () => {
  // With as many users outside of the slice as the worlds have, this would take seconds.
  const few = (world: WorldSpec): WorldSpec => ({ ...world, values: { ...world.values, wholeUsers: 500 } });
  const digest = (world: WorldSpec, seed: string) => {
    const { taps, openings, starts } = simulate(few(world), { users: 100, warmUp: 1, days: 2 }, seed);
    const started = starts.all.map(({ install, ...start }) => [start, install.device, install.due?.id]);
    return hash('sha256', JSON.stringify([taps, openings, started]));
  };

  it('decides every event', () => {
    for (const world of worlds.slice(0, 3)) expect(digest(world, 'a')).toBe(digest(world, 'a'));
    expect(digest(worlds[0]!, 'a')).not.toBe(digest(worlds[0]!, 'b'));
  });

  it('gives each world events of its own', () => {
    expect(new Set(worlds.map((world) => digest(world, 'a'))).size).toBe(worlds.length);
  });
});

describe('the order of events', () => {
  it('is that of time', () => {
    const history = simulate(worldWith(), { ...size, users: 500 }, 'a');
    const times: number[] = [];
    const note = ({ at }: { at: number }) => times.push(at);
    history.replay({ tap: note, opening: note, start: note });
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.length).toBeGreaterThan(history.starts.all.length);
  });
});

describe('the usual world', () => {
  const history = simulate(worldWith(), size, 'a usual week');
  const starts = startsOf(history);
  const newcomers = history.installs.filter(({ firstStartAt }) => firstStartAt >= 0);
  const fromTap = newcomers.filter(({ due }) => due !== null);
  const tapped: readonly Tap[] = history.taps;

  it('has installs, of which some follow a tap', () => {
    const perUser = newcomers.length / size.users / DAYS;
    expect(perUser).toBeGreaterThan(0.018);
    expect(perUser).toBeLessThan(0.024);
    expect(fromTap.length / newcomers.length).toBeCloseTo(usual.installsAfterTap, 1);
  });

  it('has starts, and heartbeats at most once a day', () => {
    const own = starts.filter(({ heartbeatOnly }) => !heartbeatOnly);
    const perUser = own.length / (size.users * 1.05) / DAYS;
    expect(perUser).toBeGreaterThan(2.2);
    expect(perUser).toBeLessThan(2.8);
    const last = new Map<unknown, number>();
    const pauses = own.flatMap(({ at, install, heartbeat }) => {
      if (!heartbeat) return [];
      const before = last.get(install);
      last.set(install, at);
      return before === undefined ? [] : [at - before];
    });
    expect(pauses.length).toBeGreaterThan(1_000);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(DAY);
  });

  it('has taps of users and of people without the app', () => {
    const perUser = tapped.length / size.users / DAYS;
    const users = usual.userTaps * usual.userTapsAtServer;
    const others = (usual.dailyInstalls * usual.installsAfterTap) / usual.tappersWhoInstall;
    const expected = (users + others) * (1 + usual.tapAgain);
    expect(perUser).toBeGreaterThan(0.9 * expected);
    expect(perUser).toBeLessThan(1.2 * expected);
    expect(share(tapped, ({ link }) => link < usual.campaignLinks)).toBeCloseTo(usual.campaignTaps, 1);
  });

  it('has phones, desktops and browsers as assumed', () => {
    const onPhones = tapped.filter(({ platform }) => platform !== null);
    expect(share(tapped, ({ platform }) => platform === null)).toBeCloseTo(usual.desktopTaps, 1);
    expect(share(onPhones, ({ platform }) => platform === 'ios')).toBeCloseTo(usual.iphones, 1);
    // Some people tap again in the browser of the phone.
    const inAppTaps = (usual.inAppTaps * (1 + usual.tapAgain / 2)) / (1 + usual.tapAgain);
    expect(share(onPhones, ({ inApp }) => inApp)).toBeCloseTo(inAppTaps, 1);
    const androidBrowsers = onPhones.filter(({ platform, inApp }) => platform === 'android' && !inApp);
    expect(share(androidBrowsers, ({ hintedModel }) => hintedModel !== null)).toBeCloseTo(usual.clientHints, 1);
    expect(share(androidBrowsers, ({ model }) => model !== null)).toBe(0);
    const inApp = onPhones.filter((tap) => tap.platform === 'android' && tap.inApp);
    expect(share(inApp, ({ model }) => model !== null)).toBeCloseTo(usual.inAppNamesModel, 1);
  });

  it('has people who install at once, and people who take their time', () => {
    const waits = fromTap.map(({ due, firstStartAt }) => firstStartAt - due!.at);
    expect(share(waits, (wait) => wait < 30 * MINUTE)).toBeCloseTo(0.74, 1);
    // These are about 150 installs.
    expect(Math.abs(median(waits.filter((wait) => wait < HOUR)) / MINUTE - usual.quickMinutes)).toBeLessThan(1);
    for (const { due, installedAt, firstStartAt } of fromTap) {
      expect(due!.at).toBeLessThanOrEqual(installedAt);
      expect(installedAt).toBeLessThan(firstStartAt);
    }
  });

  it('has devices that share a fingerprint on Android, and none on iPhones', () => {
    const devices = Map.groupBy(history.installs, ({ device }) => device);
    const alone = ({ device }: { device: number }) => devices.get(device)!.length === 1;
    const on = (platform: string) => history.installs.filter(({ phone }) => phone.platform === platform);
    expect(share(on('ios'), alone)).toBe(1);
    expect(share(on('android'), alone)).toBeLessThan(0.7);
  });

  it('has people who tap and install at one address, mostly', () => {
    const first = starts.filter(({ isFirst, install }) => isFirst && install.due !== null);
    const same = share(first, ({ v4, install }) => v4 === install.due!.v4);
    expect(same).toBeGreaterThan(0.6);
    expect(same).toBeLessThan(0.9);
  });

  it('has tokens as assumed, for the phone that tapped', () => {
    const android = fromTap.filter(({ phone }) => phone.platform === 'android');
    // These are about a hundred installs each.
    expect(Math.abs(share(android, ({ referrer }) => referrer !== null) - 0.95 * usual.playTokens)).toBeLessThan(0.15);
    const iphones = fromTap.filter(({ phone }) => phone.platform === 'ios');
    expect(Math.abs(share(iphones, ({ clipboard }) => clipboard !== null) - 0.95 * usual.clipboards)).toBeLessThan(
      0.15,
    );
    expect(share(fromTap, ({ sentReferrer }) => sentReferrer !== null)).toBe(0);
  });
});

describe('other worlds', () => {
  it('differ as they say', () => {
    const of = (name: string) => {
      const world = worlds.find((world) => world.name === name)!;
      // The users outside of the slice only share fingerprints with it.
      return simulate({ ...world, values: { ...world.values, wholeUsers: 1_500 } }, { ...size, users: 1_500 }, 'other');
    };
    const carrier = of('carrier');
    expect(share(carrier.taps, ({ platform }) => platform === 'ios')).toBeLessThan(0.1);
    const viral = of('viral');
    expect(share(viral.taps, ({ link }) => link === 0)).toBeCloseTo(0.9, 1);
    const byDay = Map.groupBy(viral.taps, ({ at }) => Math.floor(at / DAY));
    expect(byDay.get(3)!.length).toBeGreaterThan(1.5 * byDay.get(1)!.length);
    const token = of('token');
    expect(share(token.installs, ({ sentReferrer }) => sentReferrer !== null)).toBeGreaterThan(0);
  });

  it('show the users of an app when an update reaches them', () => {
    const rollout = { days: 2, createdDaysBefore: 0 };
    const history = simulate({ ...worldWith(), rollout }, { users: 2_000, warmUp: 0, days: 3 }, 'a');
    const seen = new Set<unknown>();
    const fresh = [0, 0, 0];
    for (const { at, install, heartbeatOnly } of startsOf(history)) {
      if (heartbeatOnly || install.firstStartAt >= 0 || seen.has(install)) continue;
      seen.add(install);
      fresh[Math.floor(at / DAY)]!++;
    }
    expect(fresh[0]).toBeGreaterThan(300);
    expect(fresh[1]).toBeGreaterThan(300);
    expect(fresh[2]).toBeLessThan(fresh[1]!);
  });
});
