// An app that had users before it used Landfall: when the update with the client reaches their phones, all of them look new.
import type { Rollout } from '@landfall/contracts';
import { days, since } from './time.ts';

/** The devices that an app was started on in the last 24 hours, and those of them that had never been seen before. */
export interface Activity {
  readonly seen: number;
  readonly firstSeen: number;
}

export const NOTHING_SEEN: Activity = { seen: 0, firstSeen: 0 };

/** An app that is younger is taken to be reaching its users. */
const YOUNG_DAYS = 8;

/**
 * From this share of devices seen for the first time on, an update is reaching older users. An app that grows by 2 % a day has
 * about half of it.
 */
const MANY_NEW = 0.06;

/** Returns true when the age of the app is reason enough, so that its devices need not be counted. */
export const isYoung = (createdAt: Date | null, now: Date): boolean =>
  createdAt !== null && since(createdAt, now) < days(YOUNG_DAYS);

/** Null: devices that look new are new. An app of which no device was seen has not begun. */
export function rolloutOf(createdAt: Date | null, now: Date, { seen, firstSeen }: Activity): Rollout | null {
  if (createdAt !== null && isYoung(createdAt, now)) {
    return { reason: 'young', until: new Date(createdAt.getTime() + days(YOUNG_DAYS)).toISOString() };
  }
  return firstSeen >= MANY_NEW * seen ? { reason: 'manyNewDevices', until: null } : null;
}
