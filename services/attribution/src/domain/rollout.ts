// Detects a rollout in an app that had users before it used Landfall. When the update with the client reaches their
// phones, all of them look new.
import type { Rollout } from '@landfall/contracts';
import { days, since } from './time.ts';

/**
 * The number of devices on which an app was started in 24 hours, and how many of them were never seen before.
 */
export interface Counted {
  readonly seen: number;
  readonly firstSeen: number;
}

/** The last 24 hours, and the 24 hours before them. */
export interface Activity extends Counted {
  readonly before: Counted;
}

/** A rollout, and whether it has just begun. */
export interface Reaching extends Rollout {
  /** True in the first 24 hours with many devices. Nobody knows yet who is where. */
  readonly isFirstDay: boolean;
}

const NOBODY: Counted = { seen: 0, firstSeen: 0 };
export const NOTHING_SEEN: Activity = { ...NOBODY, before: NOBODY };

/** Days. A younger app is assumed to be reaching its older users. */
const YOUNG_DAYS = 8;

/**
 * From this share of devices seen for the first time, an update counts as reaching older users. An app that grows by 5 % a
 * day has about 7 %. A rollout over a week has 100 % on its first day, and 14 % on its last one.
 */
const MANY_NEW = 0.12;

/** An app with fewer devices has no rollout of which it has a first day: somebody tries it. */
const FEW_DEVICES = 100;

/**
 * Returns null when devices that look new are new. An app of which no device was seen has not begun its rollout. A rollout
 * ends a day after its last day with many new devices, so that the state does not change back and forth.
 */
export function rolloutOf(createdAt: Date | null, now: Date, activity: Activity): Reaching | null {
  const { before, seen } = activity;
  const isFirstDay = before.seen === 0 && seen >= FEW_DEVICES;
  if (createdAt !== null && since(createdAt, now) < days(YOUNG_DAYS)) {
    const until = new Date(createdAt.getTime() + days(YOUNG_DAYS)).toISOString();
    return { reason: 'young', until, isFirstDay };
  }
  const isMany = ({ seen, firstSeen }: Counted) => firstSeen >= MANY_NEW * seen;
  return isMany(activity) || (before.seen > 0 && isMany(before))
    ? { reason: 'manyNewDevices', until: null, isFirstDay }
    : null;
}
