// The thresholds of matching by address, as settings of an app. The defaults come from a simulation of homes, offices,
// carrier NAT and several sizes of apps. They give fewer than one wrong link in 1,000 installs.
import { z } from 'zod';

const count = (min: number, max: number, value: number) => z.int().min(min).max(max).default(value);

/** Pending links are kept at least this number of days. */
export const LONGEST_DAYS = 30;

export const MatchingSettings = z.object({
  /**
   * True when the app may have users from before it used Landfall. Their phones look new when they get the update with
   * the client. During that time, matching by address is stricter. False: the app had no users before.
   */
  existingUsers: z.boolean().default(true),
  /** Minutes after a tap during which its address can match. 0: never match by address. */
  windowMinutes: count(0, 1440, 30),
  /**
   * The window is at most this number of minutes divided by the number of other people at the address: they share one
   * person-hour.
   */
  personMinutes: count(1, 1440, 60),
  /** More open taps than this at one address are a crowd. Nothing is matched there. */
  crowdTaps: count(1, 50, 50),
  /** Minutes for which a device counts as new after the app first saw it. */
  newDeviceMinutes: count(1, 1440, 60),
  /** A device counts as new again after this number of days without a start. */
  returningDeviceDays: count(1, 365, 7),
  /** The maximum number of other people at the address, for a fingerprint that several phones have. */
  sharedFingerprintPeople: count(1, 50, 6),
  /**
   * Minutes. Two heartbeats with a shorter interval come from two phones with one fingerprint, because a client sends
   * one a day.
   */
  sharedFingerprintMinutes: count(1, 1440, 1380),
  /** Days for which a fingerprint stays known as shared by several phones after it was last seen. */
  sharedFingerprintDays: count(1, 365, 30),
  /** Seconds. A heartbeat within this time before a restore belongs to the same start of the app. */
  sameStartSeconds: count(1, 600, 30),
  /**
   * Days for which an exact key can match. Not longer than a pending link is kept, because otherwise a claimed link
   * could match again.
   */
  tokenDays: count(0, LONGEST_DAYS, 30),
  emailDays: count(0, LONGEST_DAYS, 30),
  fingerprintDays: count(0, LONGEST_DAYS, 7),
});
export type MatchingSettings = z.output<typeof MatchingSettings>;
