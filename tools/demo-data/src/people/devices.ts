// Devices with the app: they install it, come back or not, register for push, and get pushes.
import { DeviceActive, DeviceInstalled, PushOpened, PushRegistered, PushSent } from '@landfall/contracts';
import type { Agenda } from '../agenda.ts';
import type { Day } from '../days.ts';
import { HOLIDAY_BEGINS } from '../links/demo-links.ts';
import type { Random } from '../random.ts';
import type { PhoneOwner } from './clients.ts';

const DAY_MS = 86_400_000;
/** A device is forgotten after this number of days, so that memory has a bound. */
const DAYS = 30;

interface Device extends Pick<PhoneOwner, 'platform' | 'country'> {
  readonly hash: string;
  readonly installedAt: number;
  readonly installedText: string;
  /** Days from a release to its update. */
  readonly updatesAfter: number;
  /** Above 1 for people who come back more often than others. */
  readonly loyalty: number;
  /** The last whole day since the install on which it was active. */
  lastActive: number;
  push: { readonly id: string; readonly at: number; readonly kind: 'fcm' | 'apns' } | null;
}

/** Pushes go out at 18 o'clock: on Thursdays, and in the holidays on Sundays, too. */
const PUSH_HOUR_MS = 18 * 3_600_000;
const isPushDay = ({ weekday, progress }: Day) => weekday === 3 || (weekday === 6 && progress >= HOLIDAY_BEGINS);

/** The share of devices that come back on a day after the install. */
const retention = (day: number): number => 0.38 * day ** -0.45;

export function createDevices(appId: string, days: readonly Day[], agenda: Agenda, random: Random) {
  let devices: Device[] = [];
  const version = (day: Day, { updatesAfter }: Device) => versionOn(day.index - updatesAfter, days.length);

  return {
    /** Installs the app. Returns the event of it, and what the device says of itself. `invited`: its person came by a link. */
    install(owner: PhoneOwner, at: number, day: Day, invited: boolean) {
      const { platform, country } = owner;
      // A third of all people come often, the others rarely.
      const loyalty = (random.chance(0.33) ? 2.1 : 0.45) * (invited ? 1.15 : 0.9) * (platform === 'ios' ? 1.08 : 0.97);
      const device: Device = {
        platform,
        country,
        hash: random.hash(),
        installedAt: at,
        installedText: new Date(at).toISOString(),
        updatesAfter: random.below(9),
        loyalty,
        lastActive: 0,
        push: null,
      };
      // Stores give the latest version.
      const appVersion = versionOn(day.index, days.length);
      const data = { appId, device: device.hash, platform, country, appVersion };
      const event = agenda.add(DeviceInstalled, random.uuid(), at, data);
      if (random.chance(platform === 'ios' ? 0.52 : 0.68)) register(device, appVersion);
      devices.push(device);
      return { event, device: device.hash, platform, country, appVersion };
    },

    /** Adds the returns and the pushes of a day. */
    pass(day: Day) {
      devices = devices.filter(({ installedAt }) => day.start - installedAt < (DAYS + 1) * DAY_MS);
      for (const device of devices) comeBack(device, day);
      if (isPushDay(day)) sendTo(devices, day);
    },
  };

  function comeBack(device: Device, day: Day): void {
    const at = day.at(random.next());
    const since = Math.floor((at - device.installedAt) / DAY_MS);
    if (since <= device.lastActive || since > DAYS) return;
    if (!random.chance(Math.min(0.95, device.loyalty * retention(since)))) return;
    device.lastActive = since;
    agenda.add(DeviceActive, random.uuid(), at, {
      appId,
      device: device.hash,
      installedAt: device.installedText,
      day: since,
      platform: device.platform,
      country: device.country,
      appVersion: version(day, device),
    });
  }

  function register(device: Device, appVersion: string): void {
    const at = device.installedAt + 4_000 + random.below(240_000);
    const { platform, country } = device;
    const kind = platform === 'ios' && random.chance(0.7) ? 'apns' : 'fcm';
    device.push = { id: random.uuid(), at, kind };
    agenda.add(PushRegistered, random.uuid(), at, {
      deviceId: device.push.id,
      appId,
      platform,
      kind,
      signedIn: random.chance(0.4),
      country,
      appVersion,
    });
  }

  function sendTo(all: readonly Device[], day: Day): void {
    const begin = day.start + PUSH_HOUR_MS;
    const notificationId = random.uuid();
    for (const device of all) {
      const { push, platform, country } = device;
      if (push === null || push.at >= begin) continue;
      const sentAt = begin + random.below(90_000);
      const deliveryId = random.uuid();
      agenda.add(PushSent, random.uuid(), sentAt, {
        notificationId,
        deliveryId,
        appId,
        deviceId: push.id,
        kind: push.kind,
        logged: false,
        platform,
      });
      if (!random.chance(Math.min(0.5, 0.07 * device.loyalty))) continue;
      const openedAt = Math.floor(sentAt + 2_000 + random.skewed(25 * 60_000, 1.3));
      agenda.add(PushOpened, random.uuid(), openedAt, {
        notificationId,
        known: true,
        appId,
        deviceId: push.id,
        platform,
        country,
        appVersion: version(day, device),
      });
    }
  }
}

export type Devices = ReturnType<typeof createDevices>;

/** The releases, with the part of the range before each. */
const RELEASES = [
  [0, '1.0.0'],
  [0.08, '1.0.1'],
  [0.25, '1.1.0'],
  [0.48, '1.2.0'],
  [0.7, '2.0.0'],
  [0.88, '2.0.1'],
] as const;

/** Returns the latest release on a day. Before the first day it is the first. */
export function versionOn(dayIndex: number, days: number): string {
  const latest = RELEASES.findLast(([after]) => dayIndex >= after * days) ?? RELEASES[0];
  return latest[1];
}
