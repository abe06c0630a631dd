// The thresholds of matching by address, as named settings of an app. The defaults come from a simulation of homes,
// offices, carrier NAT and several sizes of app: under one wrong link in 1,000 installs.
import { z } from 'zod';

const count = (min: number, max: number, value: number) => z.int().min(min).max(max).default(value);

/** Pending links are kept at least this long. */
export const LONGEST_DAYS = 30;

export const MatchingSettings = z.object({
  /**
   * Whether the app may have users from before it used Landfall. Their phones look new when the update with the client reaches
   * them. While that may be so, matching by address asks for more. False: the app had no users before.
   */
  existingUsers: z.boolean().default(true),
  /** How long after a tap its address can still match, in minutes. 0: never match by address. */
  windowMinutes: count(0, 1440, 30),
  /** The window is at most this many minutes divided by the others at the address: one person-hour, shared. */
  personMinutes: count(1, 1440, 60),
  /** More open taps than this at one address are a crowd, and nothing is matched there. */
  crowdTaps: count(1, 50, 50),
  /** A device counts as new for this many minutes after the app first saw it. */
  newDeviceMinutes: count(1, 1440, 60),
  /** A device not seen for this many days is new again. */
  returningDeviceDays: count(1, 365, 7),
  /** With a fingerprint that several phones have, at most this many others may be at the address. */
  sharedFingerprintPeople: count(1, 50, 6),
  /** Two heartbeats of one device closer together than this come from two phones, in minutes (the client sends one a day). */
  sharedFingerprintMinutes: count(1, 1440, 1380),
  /** How long a fingerprint stays known as one of several phones after that was last seen, in days. */
  sharedFingerprintDays: count(1, 365, 30),
  /** A heartbeat this many seconds before a restore came with the same start of the app. */
  sameStartSeconds: count(1, 600, 30),
  /** How long each exact key can match, in days. No longer than a pending link is kept, or a claimed one could match again. */
  tokenDays: count(0, LONGEST_DAYS, 30),
  emailDays: count(0, LONGEST_DAYS, 30),
  fingerprintDays: count(0, LONGEST_DAYS, 7),
});
export type MatchingSettings = z.output<typeof MatchingSettings>;
