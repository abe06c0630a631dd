// Names the browser and the operating system of a user agent, for statistics.
import Bowser from 'bowser';

export interface Browser {
  /** Null: not one of the browsers that the library knows by name. */
  browser: string | null;
  os: string | null;
  /** At most `major.minor`. Null when the browser hides it behind a fixed version. */
  osVersion: string | null;
}

/** Other names are made of the user agent, and anybody may write there what they like. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

/** Versions that browsers send instead of the real one, for the privacy of their users. */
const FIXED: Readonly<Record<string, RegExp>> = {
  macOS: /^10\.15/,
  Windows: /^NT 10\.0/,
  Android: /^10$/,
};

export function browserOf(userAgent: string): Browser {
  if (userAgent === '') return { browser: null, os: null, osVersion: null };
  const { browser, os } = Bowser.parse(userAgent);
  const system = known(SYSTEMS, os.name);
  return { browser: known(BROWSERS, browser.name), os: system, osVersion: system && versionOf(system, os.version) };
}

const known = (names: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null;

function versionOf(system: string, version: string | undefined): string | null {
  if (version === undefined || FIXED[system]?.test(version)) return null;
  return /^(?:NT )?\d{1,5}(?:\.\d{1,5})?/.exec(version)?.[0] ?? null;
}
