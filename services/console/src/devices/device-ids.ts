// The ids by which devices have a timeline.
import { type InputOf, MOST_NAMED_DEVICES, NameDevices, type ReplyOf } from '@landfall/contracts';

/** Asks attribution. */
export interface Naming {
  forward: (to: typeof NameDevices, asked: InputOf<typeof NameDevices>) => Promise<ReplyOf<typeof NameDevices>>;
}

/** Events of analytics have half of the hash that attribution knows. Returns the hashes, by their halves. */
export async function hashesOf(
  appId: string,
  halves: Iterable<string>,
  { forward }: Naming,
): Promise<ReadonlyMap<string, string>> {
  const left = [...new Set(halves)];
  const asked: string[][] = [];
  while (left.length > 0) asked.push(left.splice(0, MOST_NAMED_DEVICES));
  const found = await Promise.all(asked.map((some) => forward(NameDevices, { appId, halves: some })));
  return new Map(found.flatMap(({ devices }) => devices.map(({ half, device }) => [half, device])));
}

/** Kinds of events that name the device that is registered for push. */
const OF_PUSHES: ReadonlySet<string> = new Set(['registration', 'pushSent', 'pushOpened']);
/** A decision has the whole hash. */
const isHalf = ({ kind, device }: OfDevice) => device !== null && kind !== 'decision' && !OF_PUSHES.has(kind);

interface OfDevice {
  kind: string;
  device: string | null;
}

/** Adds the ids of the devices. Without an answer of attribution the events have none. */
export async function withDeviceIds<T extends OfDevice>(
  appId: string,
  events: readonly T[],
  parts: Naming,
): Promise<(T & { deviceId: string | null })[]> {
  const halves = events.filter(isHalf).map(({ device }) => device!);
  const hashes = await hashesOf(appId, halves, parts).catch(() => new Map<string, string>());
  return events.map((event) => ({
    ...event,
    deviceId: isHalf(event) ? (hashes.get(event.device!) ?? null) : event.device,
  }));
}
