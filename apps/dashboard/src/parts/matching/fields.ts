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

/** The times that a choice makes shorter or longer, in minutes, and the newcomers that are a crowd. */
const BALANCED = {
  windowMinutes: 60,
  personMinutes: 90,
  installedWindowMinutes: 30,
  installedPersonMinutes: 60,
  newcomerMinutes: 25,
  otherPlatformMinutes: 15,
  modelWindowMinutes: 120,
  ipv6WindowMinutes: 120,
  ipv6PersonMinutes: 240,
  crowdDevices: 3,
} as const satisfies Partial<Matching>;

/** Three choices for people who do not want to know all numbers. A comparison can try each: no window is over two hours. */
export const presets = {
  careful: {
    windowMinutes: 30,
    personMinutes: 45,
    installedWindowMinutes: 15,
    installedPersonMinutes: 30,
    newcomerMinutes: 12,
    otherPlatformMinutes: 5,
    modelWindowMinutes: 60,
    ipv6WindowMinutes: 60,
    ipv6PersonMinutes: 120,
    crowdDevices: 2,
  },
  balanced: BALANCED,
  generous: {
    windowMinutes: 120,
    personMinutes: 180,
    installedWindowMinutes: 60,
    installedPersonMinutes: 120,
    newcomerMinutes: 50,
    otherPlatformMinutes: 30,
    modelWindowMinutes: 120,
    ipv6WindowMinutes: 120,
    ipv6PersonMinutes: 480,
    crowdDevices: 5,
  },
} as const satisfies Record<string, Record<keyof typeof BALANCED, number>>;

export type Preset = keyof typeof presets;

/** Returns the choice that has these numbers, or null for numbers of one's own. */
export const presetOf = (matching: Matching): Preset | null =>
  (Object.keys(presets) as Preset[]).find((preset) =>
    Object.entries(presets[preset]).every(([name, value]) => matching[name as keyof Matching] === value),
  ) ?? null;

/** Returns the changes that a replay can try, and whether there are others. */
export function replayable(changes: Partial<Matching>): { tried: Partial<Matching>; rest: boolean } {
  const { sharedFingerprintMinutes, tokenDays, emailDays, fingerprintDays, ...tried } = changes;
  const rest = [sharedFingerprintMinutes, tokenDays, emailDays, fingerprintDays].some((value) => value !== undefined);
  return { tried, rest };
}
