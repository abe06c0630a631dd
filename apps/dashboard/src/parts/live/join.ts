// Joins what one device did within seconds, such as its install, its restore and the decision of this restore.
import type { LiveItem } from './live-events.ts';

/** Milliseconds between two rows of one device that belong together. */
const SOON_MS = 10_000;

/** @param items newest first. Groups stand at the place of their newest row. Most have one row. */
export function joined(items: readonly LiveItem[]): LiveItem[][] {
  const groups: LiveItem[][] = [];
  const ofDevice = new Map<string, LiveItem[]>();
  for (const item of items) {
    const device = deviceOf(item);
    const group = device === null ? undefined : ofDevice.get(device);
    if (group !== undefined && Date.parse(group.at(-1)!.at) - Date.parse(item.at) <= SOON_MS) {
      group.push(item);
      continue;
    }
    const own = [item];
    groups.push(own);
    if (device !== null) ofDevice.set(device, own);
  }
  return groups;
}

const HASH = /^[\w-]{43}$/;
/** Bytes of a hash that an event has, as a UUID. */
const HALF = 16;

/** A decision has the whole hash of the device, an event has the first half of it. */
function deviceOf({ device }: LiveItem): string | null {
  if (typeof device !== 'string') return null;
  if (!HASH.test(device)) return device;
  const bytes = atob(device.replaceAll('-', '+').replaceAll('_', '/')).slice(0, HALF);
  const hex = [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the whole hash of the device of a group, which leads to its page. Null: no row has it. */
export const hashIn = (group: readonly LiveItem[]): string | null =>
  group
    .map(({ device }) => device)
    .find((device): device is string => typeof device === 'string' && HASH.test(device)) ?? null;
