// The numbers of an app's matching, in the order of the page, with the limits of the API.
import type { App } from '@landfall/api-client';

export type Matching = App['matching'];

export const groups = {
  address: { windowMinutes: [0, 1440], personMinutes: [1, 1440], crowdTaps: [1, 50], crowdDevices: [1, 50] },
  evidence: {
    installedWindowMinutes: [0, 1440],
    installedPersonMinutes: [1, 1440],
    modelWindowMinutes: [0, 1440],
    ipv6WindowMinutes: [0, 1440],
    ipv6PersonMinutes: [1, 1440],
  },
  guessed: { newcomerMinutes: [1, 1440], otherPlatformMinutes: [0, 1440], otherPlatformPeople: [0, 50] },
  newDevices: { newDeviceMinutes: [1, 1440], returningDeviceDays: [1, 365] },
  shared: {
    sharedFingerprintPeople: [1, 50],
    sharedFingerprintMinutes: [1, 1440],
    sharedFingerprintDays: [1, 365],
    sameStartSeconds: [1, 600],
  },
  exact: { tokenDays: [0, 30], emailDays: [0, 30], fingerprintDays: [0, 30] },
} as const satisfies Record<string, Partial<Record<keyof Matching, readonly [min: number, max: number]>>>;

/** Returns the changes that a replay can try, and whether there are others. */
export function replayable(changes: Partial<Matching>): { tried: Partial<Matching>; rest: boolean } {
  const { sharedFingerprintMinutes, tokenDays, emailDays, fingerprintDays, ...tried } = changes;
  const rest = [sharedFingerprintMinutes, tokenDays, emailDays, fingerprintDays].some((value) => value !== undefined);
  return { tried, rest };
}
