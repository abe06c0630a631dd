// Every cold start of every install, and the heartbeats of the users that are not in the slice.
import type { Install, Tap } from './events.ts';
import type { Ground } from './ground.ts';
import type { Random } from './random.ts';
import { createStartList, type StartTable } from './start-table.ts';
import { DAY, HOUR, MINUTE, SECOND, someTime } from './time.ts';

/** Minutes after the first start in which the person stays on the network of the first start. */
const SAME_NETWORK_MINUTES = 30;
/** More heartbeats of one fingerprint in a day change nothing: two of them show that several phones have it. */
const MOST_STRANGERS = 3;
/** Somebody who was away for longer is new again anyway. The keys of the table hold no time before day -20. */
const LONGEST_BEFORE_DAYS = 12;
/** The product keeps contacts for this long by default. */
const REMEMBERED_DAYS = 7;

export function simulateStarts(ground: Ground, installs: readonly Install[], taps: readonly Tap[]): StartTable {
  const { spec, values, size, places, random: randomFor } = ground;
  const random = randomFor('starts');
  const before = randomFor('starts before');
  const days = size.warmUp + size.days;
  const end = days * DAY;
  const strangers = strangersOf(ground);
  const starts = createStartList();
  for (let i = 0; i < installs.length; i++) addLife(installs[i]!, i);
  for (let i = 0; i < strangers.length; i++) addHeartbeats(strangers[i]!, installs.length + i);
  return starts.toTable([...installs, ...strangers], taps);

  function addLife(install: Install, index: number): void {
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
      starts.add({ at, v4, v6, heartbeat, heartbeatOnly: false, isFirst, lost: isFirst && lost }, index);
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

  function addHeartbeats(stranger: Install, index: number): void {
    for (let day = 0; day < days; day++) {
      for (let n = random.poisson(Math.min(MOST_STRANGERS, stranger.startsADay)); n > 0; n--) {
        const none = { heartbeat: true, heartbeatOnly: true, isFirst: false, lost: false };
        starts.add({ at: someTime(random, day), v4: places.farAddress(starts.count), v6: -1, ...none }, index);
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
