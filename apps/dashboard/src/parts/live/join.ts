// Joins what one device did within seconds, such as its install, its restore, the decision of this restore and the tap
// that the decision gave. Pushes to many devices are joined, too, and their registrations.
import type { LiveItem } from './live-events.ts';

/** Milliseconds between two rows that belong together. */
const SOON_MS = 10_000;

/** @param items newest first. Groups stand at the place of their newest row. Most have one row. */
export function joined(items: readonly LiveItem[]): LiveItem[][] {
  const groups: LiveItem[][] = [];
  const byKey = new Map<string, LiveItem[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = key === null ? undefined : byKey.get(key);
    const isSoon = known !== undefined && Date.parse(known.at(-1)!.at) - Date.parse(item.at) <= SOON_MS;
    const group = isSoon ? known : [];
    if (!isSoon) groups.push(group);
    group.push(item);
    if (key !== null) byKey.set(key, group);
    for (const tap of tapsOf(item)) byKey.set(tap, group);
  }
  return groups;
}

const OF_MANY = ['pushSent', 'registration'] as const;

/** Returns the kind of a group whose rows are of many devices. Null: they are of one. */
export const kindOfMany = (group: readonly LiveItem[]) => OF_MANY.find((kind) => kind === group[0]?.kind) ?? null;

/** True for a group that rows may belong to that were not read: its oldest row is close to the oldest one of all. */
export const mayGoOn = (group: readonly LiveItem[], items: readonly LiveItem[]): boolean =>
  Date.parse(group.at(-1)!.at) - Date.parse(items.at(-1)!.at) <= SOON_MS;

/** A tap has no device: the decision that gave its link names it. */
function keyOf(item: LiveItem): string | null {
  const ofMany = kindOfMany([item]);
  if (ofMany !== null) return ofMany;
  return item.kind === 'click' ? item.id : deviceOf(item);
}

/** Returns the ids of the taps whose links a decision gave. */
function tapsOf({ kind, considered }: LiveItem): string[] {
  if (kind !== 'decision' || !Array.isArray(considered)) return [];
  return (considered as Tap[]).filter(({ taken }) => taken).map(({ pendingLinkId }) => pendingLinkId);
}

interface Tap {
  taken: boolean;
  pendingLinkId: string;
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

/** Returns the id of the device of a group, which leads to its page. Null: no row has it. */
export const deviceIdIn = (group: readonly LiveItem[]): string | null =>
  group.map(({ deviceId, device, kind }) => deviceId ?? (kind === 'decision' ? device : null)).find(isText) ?? null;

const isText = (value: unknown): value is string => typeof value === 'string';
