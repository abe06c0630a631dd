// The releases of the app.

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
