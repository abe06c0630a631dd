// Checks what devices do: install, get their links, come back, open pushes.
import {
  DeviceActive,
  DeviceInstalled,
  LinksRestored,
  PushOpened,
  PushRegistered,
  PushSent,
} from '@landfall/contracts';
import { expect, test } from 'vitest';
import { clicks, DAY_MS, of, options, shares } from '../sample.testing.ts';

const installs = of(DeviceInstalled);
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
