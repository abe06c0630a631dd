// Checks that the events hold together, and that they show what statistics are made for.
import {
  type DataOf,
  DeviceActive,
  DeviceInstalled,
  type EventDef,
  LinkClicked,
  LinkCreated,
  LinkOpened,
  LinksRestored,
  PushOpened,
  PushRegistered,
  PushSent,
} from '@landfall/contracts';
import { describe, expect, test } from 'vitest';
import { type DemoEvent, type DemoOptions, demoEvents, demoLinks } from './index.ts';

const DAY_MS = 86_400_000;
const options = {
  appId: '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11',
  until: new Date('2026-11-23T10:00:00.000Z'),
  clicks: 20_000,
  timeZone: 'Asia/Kathmandu',
} satisfies DemoOptions;
const events = [...demoEvents(options)];
const links = new Map(demoLinks(options).map((link) => [link.linkId, link]));

interface Told<E extends EventDef> {
  readonly id: string;
  readonly now: Date;
  readonly data: DataOf<E>;
}
const of = <E extends EventDef>(event: E, all: readonly DemoEvent[] = events) =>
  all.filter((e) => e.event === event) as unknown as Told<E>[];

const clicks = of(LinkClicked);
const installs = of(DeviceInstalled);

const shares = <T>(values: readonly T[]): Map<T, number> =>
  new Map([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length / values.length]));
/** Kathmandu is 5 hours and 45 minutes before UTC all year. */
const local = (now: Date) => new Date(now.getTime() + 345 * 60_000);
const dayOf = (now: Date) => local(now).toISOString().slice(0, 10);
const isWeekend = (now: Date) => [0, 6].includes(local(now).getUTCDay());
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the number of clicks on each day. */
const byDay = (some: readonly Told<typeof LinkClicked>[]) =>
  [...Map.groupBy(some, ({ now }) => dayOf(now))].map(([day, { length }]) => ({ day, length }));

describe('the list of events', () => {
  test('has as many clicks as asked for, and everything else', () => {
    expect(clicks).toHaveLength(20_000);
    expect(of(LinkCreated).length).toBeGreaterThan(250);
    expect(of(LinkOpened).length).toBeGreaterThan(3_000);
    for (const event of [DeviceInstalled, LinksRestored, DeviceActive, PushRegistered, PushSent, PushOpened])
      expect(of(event).length).toBeGreaterThan(300);
  });

  test('fits the contracts, with every field', () => {
    const wrong = events.filter(({ event, data }) => {
      const parsed = event.data.safeParse(data);
      return !parsed.success || Object.keys(parsed.data).length !== Object.keys(data).length;
    });
    expect(wrong).toEqual([]);
    for (const event of new Set(events.map((e) => e.event))) {
      const [first] = of(event);
      expect(event.data.parse(first!.data)).toStrictEqual(first!.data);
    }
  });

  test('is in order of time, within the range', () => {
    const times = events.map(({ now }) => now.getTime());
    expect(times.every((time, n) => n === 0 || time >= times[n - 1]!)).toBe(true);
    expect(times.at(-1)).toBeLessThan(options.until.getTime());
    expect(new Set(events.map(({ now }) => dayOf(now))).size).toBe(90);
    expect(dayOf(events[0]!.now)).toBe('2026-08-26');
  });

  test('has unique ids', () => {
    const ids = [...events.map(({ id }) => id), ...links.keys()];
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of events.slice(0, 1_000)) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab]/);
  });

  test('is the same for the same options, and shares no id with others', () => {
    const small = { ...options, clicks: 500, days: 10 };
    const list = [...demoEvents(small)];
    expect([...demoEvents({ ...small })]).toEqual(list);
    const ids = new Set(list.map(({ id }) => id));
    const others: Partial<DemoOptions>[] = [
      { seed: 2 },
      { appId: '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c12' },
      { until: new Date(options.until.getTime() + 1) },
      { days: 11 },
      { clicks: 501 },
      { timeZone: 'UTC' },
    ];
    for (const other of others) {
      const changed = [...demoEvents({ ...small, ...other })];
      expect(changed.length).toBeGreaterThan(500);
      expect(changed.filter(({ id }) => ids.has(id))).toEqual([]);
    }
  });

  test.each([1, 2, 3, 7, 400])('holds for %i days', (days) => {
    const list = [...demoEvents({ ...options, clicks: 300, days })];
    expect(of(LinkClicked, list)).toHaveLength(300);
    const created = new Map(of(LinkCreated, list).map(({ data, now }) => [data.linkId, now]));
    const early = of(LinkClicked, list).filter(({ data, now }) => !(created.get(data.linkId)! < now));
    expect(early).toEqual([]);
  });

  test('needs options that make sense', () => {
    const wrong: Partial<DemoOptions>[] = [
      { days: 0 },
      { days: 1.5 },
      { clicks: -1 },
      { until: new Date(Number.NaN) },
      { timeZone: 'Moon/Base' },
    ];
    for (const option of wrong) expect(() => [...demoEvents({ ...options, ...option })]).toThrow(RangeError);
    expect(of(LinkClicked, [...demoEvents({ ...options, clicks: 0 })])).toEqual([]);
  });
});

describe('the links', () => {
  test('are created before they are tapped, as demoLinks says', () => {
    const created = of(LinkCreated);
    expect(created.map(({ data }) => data.linkId)).toEqual([...links.keys()]);
    for (const { data, now } of created) {
      const { createdAt, slug, labels, destination } = links.get(data.linkId)!;
      expect({ ...data, now }).toMatchObject({ now: createdAt, slug, labels, destination });
      expect(slug).toMatch(new RegExp(`^${now.getTime()}-[a-z0-9]{12,20}$`));
    }
    expect(clicks.filter(({ data, now }) => !(links.get(data.linkId)!.createdAt < now))).toEqual([]);
  });

  test('have labels of their campaign and their inviter', () => {
    const campaigns = Map.groupBy(links.values(), ({ labels }) => labels.campaign);
    const sizes = Object.fromEntries([...campaigns].map(([name, all]) => [name, all.length]));
    // Sixty inviters, and two more invites a day. The range has twelve Tuesdays.
    expect(sizes).toEqual({ launch: 12, newsletter: 12, holiday: 15, invite: 60 + 2 * 90 });
    for (const { labels } of links.values()) expect('inviter' in labels).toBe(labels.campaign === 'invite');
    for (const { data } of clicks) {
      expect(data.labels).toEqual(links.get(data.linkId)!.labels);
      expect(data.utm?.campaign ?? 'invite').toBe(data.labels.campaign);
    }
  });

  test('have few inviters with most of the clicks', () => {
    const inviters = shares(clicks.flatMap(({ data }) => data.labels.inviter ?? []));
    expect(inviters.size).toBeGreaterThan(50);
    expect(inviters.size).toBeLessThanOrEqual(60);
    const sorted = [...inviters.values()].toSorted((a, b) => b - a);
    expect(sorted.slice(0, 10).reduce((sum, share) => sum + share, 0)).toBeGreaterThan(0.4);
  });

  const ofCampaign = (name: string) => clicks.filter(({ data }) => data.labels.campaign === name);

  test('of the launch decline, those of the holidays come last, and the newsletter has a peak each Tuesday', () => {
    const at = ({ now }: { now: Date }) => 1 - (options.until.getTime() - now.getTime()) / (90 * DAY_MS);
    const launch = ofCampaign('launch').filter(({ data }) => data.utm!.content !== 'video');
    expect(launch.filter((click) => at(click) < 0.2).length).toBeGreaterThan(launch.length / 2);
    expect(Math.min(...ofCampaign('holiday').map(at))).toBeGreaterThan(0.65);
    const weekdays = shares(ofCampaign('newsletter').map(({ now }) => local(now).getUTCDay()));
    expect(weekdays.get(2)).toBeGreaterThan(2 * weekdays.get(3)!);
    expect([...weekdays.keys()]).toHaveLength(7);
  });

  test('one goes viral for three days, mostly in the browsers of apps', () => {
    const video = clicks.filter(({ data }) => data.utm?.content === 'video');
    const days = byDay(video).toSorted((a, b) => b.length - a.length);
    const [peak, usual] = [days.slice(0, 3), days.slice(3)];
    expect(mean(peak.map(({ length }) => length)) / mean(usual.map(({ length }) => length))).toBeGreaterThan(7);
    const times = peak.map(({ day }) => Date.parse(day)).toSorted();
    expect(times[2]! - times[0]!).toBe(2 * DAY_MS);
    expect(mean(video.map(({ data }) => (data.inApp ? 1 : 0)))).toBeGreaterThan(0.7);
  });
});

describe('the people', () => {
  test('come from twelve countries', () => {
    const countries = shares(clicks.map(({ data }) => data.country));
    expect(countries.size).toBe(13);
    expect(countries.get('US')).toBeCloseTo(0.24, 1);
    expect(countries.get('US')).toBeGreaterThan(countries.get('IN')!);
    expect(countries.get('IN')).toBeGreaterThan(countries.get('DE')!);
    for (const share of countries.values()) expect(share).toBeGreaterThan(0.005);
    const german = clicks.filter(({ data }) => data.country === 'DE' && data.language !== null);
    expect(shares(german.map(({ data }) => data.language)).get('de')).toBeGreaterThan(0.8);
  });

  test('tap more on weekends, in the evening, and at night on the clock of the app hardly', () => {
    const steady = byDay(clicks.filter(({ data }) => data.labels.inviter !== undefined)).slice(20, -1);
    const [free, work] = [true, false].map((weekend) =>
      mean(steady.filter(({ day }) => isWeekend(new Date(`${day}T00:00:00Z`)) === weekend).map((day) => day.length)),
    ) as [number, number];
    expect(free / work).toBeGreaterThan(1.12);
    const hours = shares(clicks.map(({ now }) => local(now).getUTCHours()));
    const between = (from: number, to: number) =>
      [...hours].filter(([hour]) => hour >= from && hour < to).reduce((sum, [, share]) => sum + share, 0);
    expect(between(1, 6)).toBeLessThan(0.03);
    expect(between(18, 23)).toBeGreaterThan(0.3);
    const morning = (weekend: boolean) =>
      mean(
        clicks
          .filter(({ now }) => isWeekend(now) === weekend)
          .map(({ now }) => ([5, 6, 7, 8].includes(local(now).getUTCHours()) ? 1 : 0)),
      );
    expect(morning(false)).toBeGreaterThan(1.3 * morning(true));
  });

  test('grow in number', () => {
    const sizes = byDay(clicks).map(({ length }) => length);
    expect(mean(sizes.slice(70, 89))).toBeGreaterThan(1.5 * mean(sizes.slice(20, 40)));
  });

  test('have browsers that fit their device', () => {
    const systems = {
      ios: ['iOS'],
      android: ['Android'],
      desktop: ['Windows', 'macOS', 'Linux', 'Chrome OS'],
      unknown: [],
    };
    const wrong = clicks.filter(({ data }) => {
      const { platform, os, browser, inApp, inAppBrowser, deferred, via, target, language } = data;
      const isPhone = platform === 'ios' || platform === 'android';
      return !(
        (os === null ? platform === 'unknown' : (systems[platform] as string[]).includes(os)) &&
        inApp === (inAppBrowser !== null) &&
        deferred === isPhone &&
        (isPhone || (via === 'link' && !inApp && target !== 'store')) &&
        (!inApp || (target === 'page' && browser === (platform === 'ios' ? 'Safari' : 'Chrome'))) &&
        (browser !== 'Safari' || os === 'iOS' || os === 'macOS') &&
        (language === null) === (platform === 'unknown')
      );
    });
    expect(wrong).toEqual([]);
    const phones = clicks.filter(({ data }) => data.deferred && !data.inApp);
    expect(mean(phones.map(({ data }) => (data.target === 'store' ? 1 : 0)))).toBeGreaterThan(0.9);
    for (const via of ['qr', 'banner'] as const)
      expect(shares(clicks.map((c) => c.data.via)).get(via)).toBeGreaterThan(0.01);
  });

  test('some tap again on the same day', () => {
    const taps = Map.groupBy(clicks, ({ data, now }) => `${dayOf(now)} ${data.address} ${data.userAgent}`);
    const again = [...taps.values()].filter(({ length }) => length > 1);
    expect(again.length / taps.size).toBeGreaterThan(0.08);
    expect(taps.size / clicks.length).toBeGreaterThan(0.75);
  });
});

describe('the devices', () => {
  const installOf = new Map(installs.map((install) => [install.data.device, install]));

  test('install once, with a link or without', () => {
    expect(installOf.size).toBe(installs.length);
    const restored = new Set(of(LinksRestored).map(({ data }) => data.device));
    const share = restored.size / installs.length;
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.75);
    expect(installs.length / clicks.length).toBeGreaterThan(0.08);
    expect(installs.length / clicks.length).toBeLessThan(0.25);
  });

  test('get links that their person tapped before, each once and the oldest first', () => {
    const clickOf = new Map(clicks.map((click) => [click.id, click]));
    const wrong = of(LinksRestored).filter(({ data, now }) => {
      const install = installOf.get(data.device!);
      const times = data.links.map(({ tappedAt }) => Date.parse(tappedAt!));
      return !(
        install !== undefined &&
        install.now < now &&
        install.data.platform === data.platform &&
        new Set(data.links.map(({ linkId }) => linkId)).size === data.links.length &&
        times.every((time, n) => n === 0 || time >= times[n - 1]!) &&
        data.links.every(({ linkId, pendingLinkId, tappedAt }) => {
          const click = clickOf.get(pendingLinkId);
          return (
            click?.data.linkId === linkId &&
            click.data.deferred &&
            click.data.platform === data.platform &&
            click.data.country === data.country &&
            click.now.toISOString() === tappedAt &&
            click.now < install.now
          );
        })
      );
    });
    expect(wrong).toEqual([]);
    const types = shares(of(LinksRestored).map(({ data }) => data.matchType));
    expect([...types.keys()].toSorted()).toEqual(['address', 'email', 'fingerprint', 'token']);
    const ofTokens = of(LinksRestored).filter(({ data }) => data.matchType === 'token');
    expect(ofTokens.every(({ data }) => data.platform === 'android')).toBe(true);
    expect(of(LinksRestored).some(({ data }) => data.links.length > 1)).toBe(true);
  });

  test('come back after their install, once a day, and fewer each week', () => {
    const wrong = of(DeviceActive).filter(({ data, now }) => {
      const install = installOf.get(data.device)!;
      const day = Math.floor((now.getTime() - install.now.getTime()) / DAY_MS);
      return install.now.toISOString() !== data.installedAt || day !== data.day || day > 30;
    });
    expect(wrong).toEqual([]);
    const days = of(DeviceActive).map(({ data }) => `${data.device} ${data.day}`);
    expect(new Set(days).size).toBe(days.length);
    const old = installs.filter(({ now }) => options.until.getTime() - now.getTime() > 31 * DAY_MS);
    const devices = new Set(old.map(({ data }) => data.device));
    const active = of(DeviceActive).filter(({ data }) => devices.has(data.device));
    const onDay = (day: number) => active.filter(({ data }) => data.day === day).length / devices.size;
    expect(onDay(1)).toBeGreaterThan(0.3);
    expect(onDay(1)).toBeLessThan(0.45);
    expect(onDay(7)).toBeGreaterThan(0.1);
    expect(onDay(7)).toBeLessThan(0.2);
    expect(onDay(30)).toBeGreaterThan(0.02);
    expect(onDay(30)).toBeLessThan(0.09);
  });

  test('get pushes after they registered, and open some', () => {
    const registered = new Map(of(PushRegistered).map(({ data, now }) => [data.deviceId, now]));
    const sent = new Map(of(PushSent).map(({ data, now }) => [`${data.notificationId} ${data.deviceId}`, now]));
    expect(of(PushSent).filter(({ data, now }) => !(registered.get(data.deviceId)! < now))).toEqual([]);
    const opened = of(PushOpened);
    expect(opened.filter(({ data, now }) => !(sent.get(`${data.notificationId} ${data.deviceId}`)! < now))).toEqual([]);
    expect(opened.length / sent.size).toBeGreaterThan(0.04);
    expect(opened.length / sent.size).toBeLessThan(0.15);
    expect(registered.size / installs.length).toBeCloseTo(0.6, 1);
  });
});
