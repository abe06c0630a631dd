// The thresholds of matching by address. They are settings of an app. The defaults come from simulations of homes,
// offices, carrier NAT and several sizes of apps: `npm run lab`.
import { z } from 'zod';

const count = (min: number, max: number, value: number) => z.int().min(min).max(max).default(value);

/** Pending links are kept for at least this number of days. */
export const LONGEST_DAYS = 30;

/** Minutes before a decision in which its facts know all taps. No window of a what-if is longer. */
export const MOST_WHAT_IF_MINUTES = 120;

export const MatchingSettings = z.object({
  /** Whether the app had users before Landfall. Their phones look new with the update, so matching is stricter then. */
  existingUsers: z.boolean().default(true),
  /**
   * The evidence that may decide. `exact`: a token, an email or a fingerprint only. `address`: also the address, together
   * with what the tap and the client tell by themselves. `device`: link hosts also ask browsers for the model of the
   * phone and the version of its system.
   */
  evidence: z.enum(['exact', 'address', 'device']).default('address'),
  /** Minutes after a tap in which the address of the tap can match. 0: links never match by address. */
  windowMinutes: count(0, 1440, 60),
  /** Minutes that the people at an address share: the window is at most this value divided by the number of others. */
  personMinutes: count(1, 1440, 90),
  /**
   * The most minutes of `windowMinutes` and `personMinutes` for a client that says when the app was installed. Most of
   * its links come at once. The other clients must pass the checks of the next three settings, so their windows are longer.
   */
  installedWindowMinutes: count(0, 1440, 30),
  installedPersonMinutes: count(1, 1440, 60),
  /**
   * Minutes. A shared fingerprint, or a device that was away for long, may belong to a user who comes to this address for
   * the first time. So the tap must be younger than this value divided by the number of people who came here for the
   * first time in the last seven days.
   */
  newcomerMinutes: count(1, 1440, 25),
  /**
   * A client that names no platform and has a fingerprint of its own is probably an iPhone's: most Android phones of the
   * public client share theirs. It gets a tap on Android only within these minutes, and with at most this number of others.
   */
  otherPlatformMinutes: count(0, 1440, 15),
  otherPlatformPeople: count(0, 50, 2),
  /** Minutes that replace `windowMinutes` when the model of the phone is known to be equal. */
  modelWindowMinutes: count(0, 1440, 120),
  /** Minutes that replace `windowMinutes` when the addresses are IPv6: a home or a single phone. */
  ipv6WindowMinutes: count(0, 1440, 120),
  /** Minutes that replace `personMinutes` when the addresses are IPv6. */
  ipv6PersonMinutes: count(1, 1440, 240),
  /** The maximum number of open taps at one address. More taps are a crowd, and no link is matched at this address. */
  crowdTaps: count(1, 50, 50),
  /** The most other devices that the app met for the first time here in the last ten minutes. More are a crowd, too. */
  crowdDevices: count(1, 50, 3),
  /** Minutes after the app first saw a device. During this time the device counts as new. */
  newDeviceMinutes: count(1, 1440, 60),
  /** A device counts as new again after this number of days without a start. */
  returningDeviceDays: count(1, 365, 7),
  /** The maximum number of other people at the address for a match, when several phones have the fingerprint. */
  sharedFingerprintPeople: count(1, 50, 6),
  /** Minutes. A client sends one heartbeat a day, so two within this time come from two phones with one fingerprint. */
  sharedFingerprintMinutes: count(1, 1440, 1380),
  /** Days for which a fingerprint counts as shared by several phones after the sharing was last seen. */
  sharedFingerprintDays: count(1, 365, 30),
  /** Seconds. A heartbeat within this time before a restore belongs to the same start of the app. */
  sameStartSeconds: count(1, 600, 30),
  /** Days for which an exact key can match. A pending link is kept as long, or a claimed one could match again. */
  tokenDays: count(0, LONGEST_DAYS, 30),
  emailDays: count(0, LONGEST_DAYS, 30),
  fingerprintDays: count(0, LONGEST_DAYS, 7),
});
export type MatchingSettings = z.output<typeof MatchingSettings>;
