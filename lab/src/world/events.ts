// What happens in a world: installs, taps, openings and starts of the app.
import type { Phone, Platform } from './phones.ts';

/** An install of the app on a phone. */
export interface Install {
  readonly phone: Phone;
  /** The fingerprint that the public client sends. */
  readonly device: number;
  readonly installedAt: number;
  readonly firstStartAt: number;
  /** The time from which the app contains the client: later than the first start only in a rollout. */
  readonly clientFrom: number;
  /** Cold starts per day, on average. */
  readonly startsADay: number;
  /** True when the first start happens on another network than the tap. */
  readonly elsewhere: boolean;
  /** The last tap before the first start, when the install follows a tap. */
  readonly due: Tap | null;
  /** The tap that the install referrer names, when the client reads it. */
  readonly referrer: Tap | null;
  /** The tap that the clipboard names, when the client reads it. */
  readonly clipboard: Tap | null;
  /** The tap whose referrer the client sends in the world `token`. */
  readonly sentReferrer: Tap | null;
  removedAt: number;
}

export interface Tap {
  /** The place in the order of taps. */
  id: number;
  readonly at: number;
  readonly person: number;
  readonly phone: Phone;
  readonly link: number;
  readonly v4: number;
  /** -1 when the browser uses IPv4 even where the link host has IPv6. */
  readonly v6: number;
  /** Null on a desktop: such a tap waits for no install. */
  readonly platform: Platform | null;
  readonly userAgent: number;
  readonly inApp: boolean;
  readonly osVersion: number | null;
  readonly model: number | null;
  readonly hintedModel: number | null;
}

/** An installed app opens a link. */
export interface Opening {
  readonly at: number;
  readonly person: number;
  readonly link: number;
  readonly v4: number;
}

/** A cold start. With the public client it is a restore, and before it a heartbeat if the last one is a day old. */
export interface Start {
  readonly at: number;
  readonly install: Install;
  readonly v4: number;
  readonly v6: number;
  readonly heartbeat: boolean;
  /** True for heartbeats of users outside of the slice: they show only that several phones have a fingerprint. */
  readonly heartbeatOnly: boolean;
  readonly isFirst: boolean;
  /** True when the answer does not arrive. */
  readonly lost: boolean;
}

const FLAG = { heartbeat: 1, heartbeatOnly: 2, isFirst: 4, lost: 8 };
/** A key holds a time and a number, so that sorting numbers sorts starts. */
const NUMBERS = 2 ** 22;

/** A list of starts, as columns: there are millions. */
export interface Starts {
  readonly count: number;
  add(start: Omit<Start, 'install'>, install: number): void;
  /** Orders the starts by time. Starts at one time keep their order. */
  sort(): void;
  /** Returns the time of the start at a place in the order. */
  at(place: number): number;
  /** Returns a start. The object is valid until the next call. */
  read(place: number): Start;
  columns(): (Float64Array | Int32Array | Uint8Array)[];
}

export function createStarts(installs: readonly Install[]): Starts {
  let size = 1 << 12;
  let count = 0;
  let keys = new Float64Array(size);
  let v4 = new Int32Array(size);
  let v6 = new Float64Array(size);
  let who = new Int32Array(size);
  let flags = new Uint8Array(size);
  const view: { -readonly [K in keyof Start]: Start[K] } = {
    at: 0,
    install: undefined as unknown as Install,
    v4: 0,
    v6: -1,
    heartbeat: false,
    heartbeatOnly: false,
    isFirst: false,
    lost: false,
  };

  return {
    get count() {
      return count;
    },
    add(start, install) {
      if (count === size) grow();
      keys[count] = start.at * NUMBERS + count;
      v4[count] = start.v4;
      v6[count] = start.v6;
      who[count] = install;
      flags[count] =
        (start.heartbeat ? FLAG.heartbeat : 0) |
        (start.heartbeatOnly ? FLAG.heartbeatOnly : 0) |
        (start.isFirst ? FLAG.isFirst : 0) |
        (start.lost ? FLAG.lost : 0);
      count++;
    },
    sort() {
      keys = keys.subarray(0, count).slice().sort();
    },
    at: (place) => Math.floor(keys[place]! / NUMBERS),
    read(place) {
      const key = keys[place]!;
      const i = key % NUMBERS;
      const flag = flags[i]!;
      view.at = Math.floor(key / NUMBERS);
      view.install = installs[who[i]!]!;
      view.v4 = v4[i]!;
      view.v6 = v6[i]!;
      view.heartbeat = (flag & FLAG.heartbeat) !== 0;
      view.heartbeatOnly = (flag & FLAG.heartbeatOnly) !== 0;
      view.isFirst = (flag & FLAG.isFirst) !== 0;
      view.lost = (flag & FLAG.lost) !== 0;
      return view;
    },
    columns: () => [
      keys,
      v4.subarray(0, count),
      v6.subarray(0, count),
      who.subarray(0, count),
      flags.subarray(0, count),
    ],
  };

  function grow(): void {
    size *= 2;
    if (size > NUMBERS) throw new Error(`A world has more than ${NUMBERS} starts: simulate fewer users or days.`);
    keys = moved(keys, new Float64Array(size));
    v4 = moved(v4, new Int32Array(size));
    v6 = moved(v6, new Float64Array(size));
    who = moved(who, new Int32Array(size));
    flags = moved(flags, new Uint8Array(size));
  }
}

function moved<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
