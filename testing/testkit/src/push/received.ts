// The pushes that came to a fake: the source of truth about the deliveries of each device.

/** One push that a fake saw. */
export interface Seen {
  token: string;
  /** `take`, or why it was not taken. `reset`, `broken` and `hang` were taken, too: the sender cannot know. */
  what: string;
  /** `apns-id`; of FCM there is none. */
  id: string | null;
  notificationId: string | null;
  collapse: string | null;
}

export interface Received {
  add(seen: Seen): void;
  /** All, in the order in which they came. */
  readonly all: readonly Seen[];
  of(token: string): Seen[];
  /** The number of each `what`. */
  counts(): Record<string, number>;
  clear(): void;
}

export function createReceived(): Received {
  let all: Seen[] = [];
  return {
    add: (seen) => void all.push(seen),
    get all() {
      return all;
    },
    of: (token) => all.filter((seen) => seen.token === token),
    counts() {
      const counts: Record<string, number> = {};
      for (const { what } of all) counts[what] = (counts[what] ?? 0) + 1;
      return counts;
    },
    clear() {
      all = [];
    },
  };
}

/** True when the device has it, whatever the sender was told. */
export const wasTaken = ({ what }: Seen): boolean => ['take', 'reset', 'broken', 'hang'].includes(what);
