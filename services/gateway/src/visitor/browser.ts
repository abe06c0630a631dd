// Names the browser and the operating system of a user agent, for statistics.
import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';
import type { Visitor } from './visitor.ts';

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

/** Safari 26 and web views say 18.6 or 18.7. Only the `Version/18` of Safari shows that it is true. */
const isFixedIos = (version: string, userAgent: string): boolean =>
  /^18\.[67]/.test(version) && !/\bVersion\/18\./.test(userAgent);

/** A cache: many people have the same few hundred user agents, and reading one takes 30 µs. */
const cache = new LRUCache<string, Browser>({ max: 2_000, memoMethod: (userAgent) => read(userAgent) });

/** @param platform of the visitor: an iPad sends the user agent of a Macintosh, and its page may have told the truth */
export function browserOf(userAgent: string, platform: Visitor['platform']): Browser {
  const found = cache.memo(userAgent);
  return platform === 'ios' && found.os === 'macOS' ? { ...found, os: 'iOS', osVersion: null } : found;
}

function read(userAgent: string): Browser {
  if (userAgent === '') return { browser: null, os: null, osVersion: null };
  const { browser, os } = Bowser.parse(userAgent);
  const system = known(SYSTEMS, os.name);
  return {
    browser: known(BROWSERS, browser.name),
    os: system,
    osVersion: system && versionOf(system, os.version, userAgent),
  };
}

const known = (names: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null;

function versionOf(system: string, version: string | undefined, userAgent: string): string | null {
  if (version === undefined || FIXED[system]?.test(version)) return null;
  if (system === 'iOS' && isFixedIos(version, userAgent)) return null;
  return /^(?:NT )?\d{1,5}(?:\.\d{1,5})?/.exec(version)?.[0] ?? null;
}
