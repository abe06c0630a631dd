// The facts of an app about a device: whether it is new, and whether several phones share its fingerprint.
import type { MatchingSettings, Platform } from '@landfall/contracts';
import { before, days, earlier, later, minutes, seconds, since } from './time.ts';

/** A heartbeat within this time of another one with the same fingerprint, address and user agent is a retry of it. */
export const HEARTBEAT_RETRY_MINUTES = 10;

export interface Device {
  readonly appId: string;
  /** The hash that identifies the device: its fingerprint, or an email when there is no fingerprint. */
  readonly device: string;
  readonly firstSeen: Date;
  /** The time when it was first seen, or seen again after a long absence. */
  readonly newSince: Date;
  readonly lastSeen: Date;
  readonly firstHeartbeatId: string | null;
  /** The time of the first heartbeat: the install. */
  readonly installedAt: Date | null;
  /** The latest heartbeat that was the first one of its day since the install, from day 1. */
  readonly activeHeartbeatId: string | null;
  readonly lastHeartbeatId: string | null;
  readonly lastHeartbeatAt: Date | null;
  /** The origin of the last heartbeat: one value for its address and user agent. Null when one of them was unknown. */
  readonly lastHeartbeatFrom: string | null;
  /** The last time when two heartbeats came too close together for one phone. */
  readonly sharedAt: Date | null;
  /** The platform in the latest heartbeat that contained one. */
  readonly platform: Platform | null;
  /** The last time when it was seen after an absence of at least a day, and the whole days of this absence. */
  readonly returnedAt: Date | null;
  readonly awayDays: number | null;
  /** The latest restore. Its decision has this id, unless there was nothing to decide. */
  readonly lastRestoreId: string | null;
  readonly lastRestoreAt: Date | null;
}

/** A reported start of the app, and its origin. */
export interface Heartbeat {
  readonly id: string;
  readonly at: Date;
  /** One value for its address and user agent. Null when one of them is unknown. */
  readonly from: string | null;
  readonly platform: Platform | null;
}

export const isNew = (device: Device, now: Date, newDeviceMinutes: number): boolean =>
  since(device.newSince, now) < minutes(newDeviceMinutes);

/** Returns true when the device is new only because it was away for long. */
export const isReturning = ({ firstSeen, newSince }: Device): boolean => newSince > firstSeen;

export const isShared = (device: Device, now: Date, sharedFingerprintDays: number): boolean =>
  device.sharedAt !== null && since(device.sharedAt, now) < days(sharedFingerprintDays);

export const firstMet = (appId: string, device: string, at: Date): Device => ({
  appId,
  device,
  firstSeen: at,
  newSince: at,
  lastSeen: at,
  firstHeartbeatId: null,
  installedAt: null,
  activeHeartbeatId: null,
  lastHeartbeatId: null,
  lastHeartbeatAt: null,
  lastHeartbeatFrom: null,
  sharedAt: null,
  platform: null,
  returnedAt: null,
  awayDays: null,
  lastRestoreId: null,
  lastRestoreAt: null,
});

const DAY = days(1);

/**
 * Returns true when a device is seen for the first time on its day. The hash of each device sets the hour at which its
 * day begins. So the number of first sightings in any 24 hours is about the number of devices seen in them.
 * @param lastSeen null when the device was never seen
 */
export function isFirstOfDay(device: string, lastSeen: Date | null, at: Date): boolean {
  const begins = (Number.parseInt(Buffer.from(device, 'base64url').toString('hex', 0, 4), 16) / 2 ** 32) * DAY;
  const dayOf = (time: Date) => Math.floor((time.getTime() - begins) / DAY);
  return lastSeen === null || dayOf(lastSeen) < dayOf(at);
}

/** Returns the number of whole days between the install and a time, a day being 24 hours. Negative before the install. */
export const daysSince = (installedAt: Date, at: Date): number => Math.floor(since(installedAt, at) / DAY);

/** Returns the device after a sighting, which may be late or redelivered. After a long absence the device is new. */
export function met(device: Device, at: Date, returningDeviceDays: number): Device {
  const absence = since(device.lastSeen, at);
  return {
    ...device,
    firstSeen: earlier(device.firstSeen, at),
    newSince: absence >= days(returningDeviceDays) ? at : device.newSince,
    ...(absence >= DAY && { returnedAt: at, awayDays: Math.floor(absence / DAY) }),
    lastSeen: later(device.lastSeen, at),
  };
}

/** A device that was new longer ago than this is an old one, also when its earlier restores are not known. */
const FIRST_WITHIN = days(1);
/** A client counts whole seconds. So a restore that seems to come this long before the install may be one of it. */
const INSTALL_TOLERANCE = minutes(1);

/**
 * Returns true for the first restore since the device was new, or since the install that the client tells.
 * @param device before this restore
 */
export function isFirstRestore(
  { newSince, lastRestoreAt }: Device,
  { now, installedSecondsAgo }: { now: Date; installedSecondsAgo: number | null },
): boolean {
  const installed = installedSecondsAgo === null ? null : before(now, seconds(installedSecondsAgo) + INSTALL_TOLERANCE);
  const begun = later(installed, newSince);
  return since(begun, now) < FIRST_WITHIN && (lastRestoreAt === null || lastRestoreAt < begun);
}

/** Returns the device after a restore, which may be late or redelivered. */
export function asked(device: Device, { id, at }: { id: string; at: Date }): Device {
  const { lastRestoreId, lastRestoreAt } = device;
  const apart = lastRestoreAt === null ? 1 : since(lastRestoreAt, at);
  const isLatest = apart > 0 || (apart === 0 && id > lastRestoreId!);
  return isLatest ? { ...device, lastRestoreId: id, lastRestoreAt: at } : device;
}

/**
 * Returns the device after a heartbeat. One phone sends one heartbeat a day. Two heartbeats that are closer together,
 * in any order, come from two phones with one fingerprint, unless one is a retry of the other. A redelivered heartbeat
 * does not count as a second one.
 */
export function heard(
  device: Device,
  heartbeat: Heartbeat,
  settings: Pick<MatchingSettings, 'returningDeviceDays' | 'sharedFingerprintMinutes'>,
): Device {
  const { id, at, platform } = heartbeat;
  const after = met(device, at, settings.returningDeviceDays);
  const { lastHeartbeatId, lastHeartbeatAt } = device;
  const asLast = { lastHeartbeatId: id, lastHeartbeatAt: at, lastHeartbeatFrom: heartbeat.from };
  if (lastHeartbeatAt === null) return { ...after, firstHeartbeatId: id, installedAt: at, ...asLast, platform };
  if (id === lastHeartbeatId) return after;

  const apart = since(lastHeartbeatAt, at);
  const isLatest = apart > 0 || (apart === 0 && id > lastHeartbeatId!);
  const tooClose = Math.abs(apart) < minutes(settings.sharedFingerprintMinutes);
  const several = tooClose && !isRetry(device, heartbeat);
  // A late heartbeat is on no later day than the last one, so it never sends a day again.
  const installedAt = device.installedAt ?? device.firstSeen;
  const isNextDay = daysSince(installedAt, at) > Math.max(0, daysSince(installedAt, lastHeartbeatAt));
  return {
    ...after,
    ...(isLatest ? asLast : {}),
    installedAt,
    activeHeartbeatId: isNextDay ? id : device.activeHeartbeatId,
    sharedAt: several ? later(device.sharedAt, later(lastHeartbeatAt, at)) : device.sharedAt,
    platform: isLatest ? (platform ?? device.platform) : (device.platform ?? platform),
  };
}

/** A client that got no answer sends its heartbeat again with the next start. One of unknown origin is no retry. */
function isRetry(device: Device, { at, from }: Heartbeat): boolean {
  if (device.lastHeartbeatAt === null || from === null) return false;
  return (
    from === device.lastHeartbeatFrom && Math.abs(since(device.lastHeartbeatAt, at)) <= minutes(HEARTBEAT_RETRY_MINUTES)
  );
}
