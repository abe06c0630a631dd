// Every cold start of every install, and the heartbeats of the users that are not in the slice.
import type { Install, Start, Tap } from './events.ts';
import type { Ground } from './ground.ts';
import type { Random } from './random.ts';
import { DAY, HOUR, MINUTE, SECOND, someTime } from './time.ts';

/** Minutes after the first start in which the person stays on the network of the first start. */
const SAME_NETWORK_MINUTES = 30;
/** More heartbeats of one fingerprint in a day change nothing: two of them show that several phones have it. */
const MOST_STRANGERS = 3;
/** Somebody who was away for longer is new again anyway. A key of a start holds no time before day -20. */
const LONGEST_BEFORE_DAYS = 12;
/** The product keeps contacts for this long by default. */
const REMEMBERED_DAYS = 7;

export function simulateStarts(ground: Ground, installs: readonly Install[], taps: readonly Tap[]) {
  const { spec, values, size, places, random: randomFor } = ground;
  const random = randomFor('starts');
  const before = randomFor('starts before');
  const days = size.warmUp + size.days;
  const end = days * DAY;
  const starts: Start[] = [];
  for (const install of installs) addLife(install);
  for (const stranger of strangersOf(ground)) addHeartbeats(stranger);
  return indexed(starts, taps);

  function addLife(install: Install): void {
    const { phone, elsewhere, firstStartAt } = install;
    const lost = firstStartAt >= 0 && random.chance(values.lostAnswers);
    const until = Math.min(end, install.removedAt);
    let lastHeartbeat = Number.NEGATIVE_INFINITY;
    const times = [...startsBefore(install), ...timesOf(install, lost)];
    for (const at of times.sort((a, b) => a - b)) {
      if (at < install.clientFrom || at >= until) continue;
      const heartbeat = at - lastHeartbeat >= values.heartbeatHours * HOUR;
      if (heartbeat) lastHeartbeat = at;
      const isElsewhere = elsewhere && at < firstStartAt + SAME_NETWORK_MINUTES * MINUTE;
      const { v4, v6 } = places.addressesOf(phone.person, at, 0, isElsewhere);
      const isFirst = at === firstStartAt;
      const answer = { heartbeatOnly: false, isFirst, lost: isFirst && lost };
      starts.push({ place: -1, at, install, v4, v6, heartbeat, ...answer });
    }
  }

  function timesOf(install: Install, lost: boolean): number[] {
    const { firstStartAt } = install;
    const times: number[] = [];
    if (firstStartAt >= 0) {
      times.push(firstStartAt);
      if (lost && random.chance(values.startAgain)) {
        times.push(Math.ceil(firstStartAt + random.logNormal(values.startAgainSeconds * SECOND, 1)));
      }
      if (random.chance(values.reopens)) {
        times.push(Math.ceil(firstStartAt + random.logNormal(values.reopenMinutes * MINUTE, 1)));
      }
    }
    return [...times, ...usualStarts(install, [Math.max(0, Math.floor(firstStartAt / DAY)), days], random)];
  }

  /** Returns the starts of these days that follow the first one, in no order. */
  function usualStarts(
    { firstStartAt, startsADay }: Install,
    [from, until]: readonly [number, number],
    random: Random,
  ) {
    const times: number[] = [];
    for (let day = from; day < until; day++) {
      for (let n = random.poisson(startsADay); n > 0; n--) {
        const at = someTime(random, day);
        if (at > firstStartAt) times.push(at);
      }
    }
    return times;
  }

  function addHeartbeats(install: Install): void {
    for (let day = 0; day < days; day++) {
      for (let n = random.poisson(Math.min(MOST_STRANGERS, install.startsADay)); n > 0; n--) {
        const at = someTime(random, day);
        const v4 = places.farAddress(starts.length);
        const kind = { heartbeat: true, heartbeatOnly: true, isFirst: false, lost: false };
        starts.push({ place: -1, at, install, v4, v6: -1, ...kind });
      }
    }
  }

  /**
   * Returns the starts of a user in the days for which the product remembers who was where, and the last one before
   * them. So the product knows the users of the first day as it would after a long time.
   */
  function startsBefore(install: Install): number[] {
    const { firstStartAt, startsADay } = install;
    if (firstStartAt >= 0 || spec.rollout !== undefined) return [];
    const since = Math.min(LONGEST_BEFORE_DAYS * DAY, Math.ceil(before.exponential(DAY / startsADay)));
    const last = Math.max(firstStartAt, -REMEMBERED_DAYS * DAY - since);
    return [last, ...usualStarts(install, [-REMEMBERED_DAYS, 0], before)];
  }
}

/** Returns an install for each Android fingerprint that stands for all phones with it outside of the slice. */
function strangersOf({ values, size, phones }: Ground): Install[] {
  const others = Math.max(0, values.wholeUsers - size.users) * (1 - values.iphones);
  // The share of users with a start on a day, for a gamma distribution of starts.
  const active = 1 - (1 + values.startsADay / values.startsShape) ** -values.startsShape;
  return Array.from({ length: phones.androidDevices }, (_, device) => ({
    phone: phones.phoneOf(-1, 0),
    device,
    // Each of these phones has an id of its own. Nobody in the slice meets them, so one for all of them does.
    ownId: OUTSIDE + device,
    installedAt: 0,
    firstStartAt: 0,
    clientFrom: 0,
    startsADay: others * phones.shareOf(device) * active,
    elsewhere: false,
    due: null,
    referrer: null,
    clipboard: null,
    sentReferrer: null,
    removedAt: Number.POSITIVE_INFINITY,
  }));
}

/** Above the ids of all installs in a slice. */
const OUTSIDE = 2 ** 30;

/** A key holds a time and a number below this one. Numbers sort much faster than objects. */
const NUMBERS = 2 ** 22;

/** Puts the starts in the order of time. Indexes lead to the few of them that a rule needs: there are millions. */
function indexed(made: readonly Start[], taps: readonly Tap[]) {
  if (made.length > NUMBERS) throw new Error(`A world has more than ${NUMBERS} starts: simulate fewer users or days.`);
  const keys = Float64Array.from(made, ({ at }, number) => at * NUMBERS + number).sort();
  const all = Array.from(keys, (key) => made[key - Math.floor(key / NUMBERS) * NUMBERS]!);
  const atAddress = new Map<number, Start[]>();
  for (const tap of taps) for (const address of [tap.v4, tap.v6]) if (address >= 0) atAddress.set(address, []);
  /** Milliseconds since the last tap at an address of the start, by its place. */
  const sinceTap = new Float64Array(all.length);
  const lastTap = new Map<number, number>();
  let nextTap = 0;
  for (const [place, start] of all.entries()) {
    start.place = place;
    for (let tap = taps[nextTap]; tap && tap.at <= start.at; tap = taps[++nextTap])
      for (const address of [tap.v4, tap.v6]) lastTap.set(address, tap.at);
    let last = Number.NEGATIVE_INFINITY;
    for (const address of [start.v4, start.v6]) {
      if (address < 0) continue;
      atAddress.get(address)?.push(start);
      last = Math.max(last, lastTap.get(address) ?? last);
    }
    sinceTap[place] = start.at - last;
  }
  const byDevice = Map.groupBy(all, ({ install }) => install.device);
  let byOwnId: Map<number, Start[]> | undefined;
  return {
    all,
    /** Returns the starts of a device, in order. */
    ofDevice: (device: number): readonly Start[] => byDevice.get(device) ?? [],
    /** The same, for a client that makes an id for each install. */
    ofOwnId(id: number): readonly Start[] {
      byOwnId ??= Map.groupBy(all, ({ install }) => install.ownId);
      return byOwnId.get(id) ?? [];
    },
    /** Returns the starts at an address, in order. Where nobody taps there are none, because nothing can be matched. */
    atAddress: (address: number): readonly Start[] => atAddress.get(address) ?? [],
    /** Returns whether there was a tap at an address of the start in the milliseconds before it, or the start has a token. */
    mayMatch: ({ place, install }: Start, window: number): boolean =>
      sinceTap[place]! <= window || Boolean(install.referrer ?? install.clipboard ?? install.sentReferrer),
  };
}
export type Starts = ReturnType<typeof indexed>;
