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
import { clicks, DAY_MS, of } from '../sample.testing.ts';

const installs = of(DeviceInstalled);
const installOf = new Map(installs.map((install) => [install.data.device, install]));

test('install once', () => {
  expect(installOf.size).toBe(installs.length);
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
  expect(of(LinksRestored).some(({ data }) => data.links.length > 1)).toBe(true);
});

test('come back after their install, once a day', () => {
  const wrong = of(DeviceActive).filter(({ data, now }) => {
    const install = installOf.get(data.device)!;
    const day = Math.floor((now.getTime() - install.now.getTime()) / DAY_MS);
    return install.now.toISOString() !== data.installedAt || day !== data.day || day > 30;
  });
  expect(wrong).toEqual([]);
  const days = of(DeviceActive).map(({ data }) => `${data.device} ${data.day}`);
  expect(new Set(days).size).toBe(days.length);
});

test('get pushes after they registered, and open some', () => {
  const registered = new Map(of(PushRegistered).map(({ data, now }) => [data.deviceId, now]));
  const sent = new Map(of(PushSent).map(({ data, now }) => [`${data.notificationId} ${data.deviceId}`, now]));
  expect(of(PushSent).filter(({ data, now }) => !(registered.get(data.deviceId)! < now))).toEqual([]);
  const opened = of(PushOpened);
  expect(opened.filter(({ data, now }) => !(sent.get(`${data.notificationId} ${data.deviceId}`)! < now))).toEqual([]);
});
