// All starts of a world in the order of time, as columns: there are millions. Indexes lead to the starts of a device and
// to those at an address, so that a rule needs to look only at starts near a tap.
import type { Install, Start, Tap } from './events.ts';

export type NewStart = Omit<Start, 'place' | 'install'>;

export interface StartTable {
  readonly count: number;
  /** Returns the time of the start at a place. */
  at(place: number): number;
  /** Returns a function that reads a start. Its object is valid until its next call. */
  reader(): (place: number) => Start;
  /** Returns the places of the starts of a device, in order. */
  ofDevice(device: number): Int32Array;
  /** Returns the places of the starts at an address, in order. Undefined when nobody taps there. */
  atAddress(address: number): Int32Array | undefined;
  /** Returns the milliseconds since the last tap at one of the addresses of the start. */
  sinceTap(place: number): number;
  /** Returns true when the install came with a token. */
  hasToken(place: number): boolean;
  columns(): (Float64Array | Int32Array | Uint8Array)[];
}

export interface StartList {
  readonly count: number;
  /** @param install the place of the install in the list of installs */
  add(start: NewStart, install: number): void;
  /** Returns the table. Starts at one time keep their order. */
  toTable(installs: readonly Install[], taps: readonly Tap[]): StartTable;
}

const FLAG = { heartbeat: 1, heartbeatOnly: 2, isFirst: 4, lost: 8 };
/** A key holds a time and a number, so that sorting numbers sorts starts. */
const NUMBERS = 2 ** 22;

interface Columns {
  at: Float64Array;
  v4: Int32Array;
  v6: Float64Array;
  who: Int32Array;
  flags: Uint8Array;
}

const columnsFor = (size: number): Columns => ({
  at: new Float64Array(size),
  v4: new Int32Array(size),
  v6: new Float64Array(size),
  who: new Int32Array(size),
  flags: new Uint8Array(size),
});

export function createStartList(): StartList {
  let size = 1 << 12;
  let count = 0;
  let columns = columnsFor(size);

  return {
    get count() {
      return count;
    },
    add({ at, v4, v6, heartbeat, heartbeatOnly, isFirst, lost }, install) {
      if (count === size) grow();
      columns.at[count] = at;
      columns.v4[count] = v4;
      columns.v6[count] = v6;
      columns.who[count] = install;
      columns.flags[count] =
        (heartbeat ? FLAG.heartbeat : 0) |
        (heartbeatOnly ? FLAG.heartbeatOnly : 0) |
        (isFirst ? FLAG.isFirst : 0) |
        (lost ? FLAG.lost : 0);
      count++;
    },
    toTable: (installs, taps) => createTable(sorted(columns, count), installs, taps),
  };

  function grow(): void {
    size *= 2;
    if (size > NUMBERS) throw new Error(`A world has more than ${NUMBERS} starts: simulate fewer users or days.`);
    const larger = columnsFor(size);
    for (const name of Object.keys(columns) as (keyof Columns)[]) larger[name].set(columns[name]);
    columns = larger;
  }
}

function sorted(columns: Columns, count: number): Columns {
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = columns.at[i]! * NUMBERS + i;
  keys.sort();
  const order = Int32Array.from(keys, (key) => key - Math.floor(key / NUMBERS) * NUMBERS);
  const result = columnsFor(count);
  for (const name of Object.keys(columns) as (keyof Columns)[]) {
    const [from, to] = [columns[name], result[name]];
    for (let place = 0; place < count; place++) to[place] = from[order[place]!]!;
  }
  return result;
}

function createTable(columns: Columns, installs: readonly Install[], taps: readonly Tap[]): StartTable {
  const { at, v4, v6, who, flags } = columns;
  const count = at.length;
  const byDevice = indexByDevice(who, installs);
  const { byAddress, sinceTap } = indexByAddress(columns, taps);
  const hasToken = installs.map(({ referrer, clipboard, sentReferrer }) =>
    Boolean(referrer ?? clipboard ?? sentReferrer),
  );

  return {
    count,
    at: (place) => at[place]!,
    reader() {
      const view: { -readonly [K in keyof Start]: Start[K] } = {
        place: 0,
        at: 0,
        install: installs[0]!,
        v4: 0,
        v6: -1,
        heartbeat: false,
        heartbeatOnly: false,
        isFirst: false,
        lost: false,
      };
      return (place) => {
        const flag = flags[place]!;
        view.place = place;
        view.at = at[place]!;
        view.install = installs[who[place]!]!;
        view.v4 = v4[place]!;
        view.v6 = v6[place]!;
        view.heartbeat = (flag & FLAG.heartbeat) !== 0;
        view.heartbeatOnly = (flag & FLAG.heartbeatOnly) !== 0;
        view.isFirst = (flag & FLAG.isFirst) !== 0;
        view.lost = (flag & FLAG.lost) !== 0;
        return view;
      };
    },
    ofDevice: byDevice,
    atAddress: (address) => byAddress.get(address),
    sinceTap: (place) => sinceTap[place]!,
    hasToken: (place) => hasToken[who[place]!]!,
    columns: () => [at, v4, v6, who, flags],
  };
}

function indexByDevice(who: Int32Array, installs: readonly Install[]): (device: number) => Int32Array {
  const deviceOf = Int32Array.from(installs, ({ device }) => device);
  const devices = deviceOf.reduce((most, device) => Math.max(most, device + 1), 0);
  const starts = new Int32Array(devices + 1);
  for (const install of who) starts[deviceOf[install]! + 1]!++;
  for (let device = 0; device < devices; device++) starts[device + 1]! += starts[device]!;
  const next = starts.slice();
  const places = new Int32Array(who.length);
  for (let place = 0; place < who.length; place++) places[next[deviceOf[who[place]!]!]!++] = place;
  return (device) => places.subarray(starts[device], starts[device + 1]);
}

/** Indexes the addresses at which somebody taps. At other addresses nothing can be matched. */
function indexByAddress({ at, v4, v6 }: Columns, taps: readonly Tap[]) {
  const lists = new Map<number, number[]>();
  for (const tap of taps) for (const address of [tap.v4, tap.v6]) if (address >= 0) lists.set(address, []);
  const sinceTap = new Float64Array(at.length);
  const lastTap = new Map<number, number>();
  let nextTap = 0;
  for (let place = 0; place < at.length; place++) {
    const time = at[place]!;
    for (; nextTap < taps.length && taps[nextTap]!.at <= time; nextTap++) {
      const tap = taps[nextTap]!;
      lastTap.set(tap.v4, tap.at);
      if (tap.v6 >= 0) lastTap.set(tap.v6, tap.at);
    }
    lists.get(v4[place]!)?.push(place);
    let last = lastTap.get(v4[place]!) ?? Number.NEGATIVE_INFINITY;
    if (v6[place]! >= 0) {
      lists.get(v6[place]!)?.push(place);
      last = Math.max(last, lastTap.get(v6[place]!) ?? last);
    }
    sinceTap[place] = time - last;
  }
  return { byAddress: new Map([...lists].map(([address, list]) => [address, Int32Array.from(list)])), sinceTap };
}
