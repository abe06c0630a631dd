// Detects a rollout in an app that had users before it used Landfall. When the update with the client reaches their
// phones, all of them look new.
import type { Rollout } from '@landfall/contracts';
import { days, since } from './time.ts';

/**
 * The number of devices on which an app was started in the last 24 hours, and how many of them were never seen before.
 */
export interface Activity {
  readonly seen: number;
  readonly firstSeen: number;
}

export const NOTHING_SEEN: Activity = { seen: 0, firstSeen: 0 };

/** Days. A younger app is assumed to be reaching its older users. */
const YOUNG_DAYS = 8;

/**
 * From this share of devices seen for the first time, an update counts as reaching older users. An app that grows by 2
 * % a day has about half of this share.
 */
const MANY_NEW = 0.06;

/** Returns true when the age of the app is enough to decide, so that its devices need not be counted. */
export const isYoung = (createdAt: Date | null, now: Date): boolean =>
  createdAt !== null && since(createdAt, now) < days(YOUNG_DAYS);

/** Returns null when devices that look new are new. An app of which no device was seen has not begun its rollout. */
export function rolloutOf(createdAt: Date | null, now: Date, { seen, firstSeen }: Activity): Rollout | null {
  if (createdAt !== null && isYoung(createdAt, now)) {
    return { reason: 'young', until: new Date(createdAt.getTime() + days(YOUNG_DAYS)).toISOString() };
  }
  return firstSeen >= MANY_NEW * seen ? { reason: 'manyNewDevices', until: null } : null;
}
