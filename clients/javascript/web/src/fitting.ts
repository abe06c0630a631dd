// Whether a banner makes sense for this person on this page.
import { type Browser, isInApp, isMobileSafari, type Platform, platformOf } from './device.ts';

export interface Viewer extends Browser {
  /** The page was installed, and has no address bar. */
  isInstalled: boolean;
  /** The page asks for Apple's banner: `<meta name="apple-itunes-app">`. */
  hasAppleBanner: boolean;
  /** When the person closed a banner, in milliseconds. Null: never. */
  closedAt: number | null;
  /** The time in milliseconds. */
  now: number;
}

const DAY_MS = 86_400_000;

/** @param hideForDays how long a banner stays away that was closed */
export function isFitting(viewer: Viewer, platforms: readonly Platform[], hideForDays: number): boolean {
  const { closedAt, now } = viewer;
  if (!platforms.includes(platformOf(viewer)) || isInApp(viewer) || viewer.isInstalled) return false;
  if (viewer.hasAppleBanner && isMobileSafari(viewer)) return false;
  // A clock that was set back hides it no longer than one that goes on.
  return closedAt === null || Math.abs(now - closedAt) >= hideForDays * DAY_MS;
}

const KEY = 'landfall-banner';

/** Browsers may forbid to store. The banner then stays away for this page alone. */
export function closedAt(): number | null {
  try {
    return Number(localStorage.getItem(KEY)) || null;
  } catch {
    return null;
  }
}

export function rememberClosed(now: number): void {
  try {
    localStorage.setItem(KEY, String(now));
  } catch {}
}
