// Every cold start of every install, and the heartbeats of the users that are not in the slice.
import type { Install, Tap } from './events.ts';
import type { Ground } from './ground.ts';
import { createStartList, type StartTable } from './start-table.ts';
import { DAY, HOUR, MINUTE, SECOND, someTime } from './time.ts';

/** Minutes after the first start in which the person stays on the network of the first start. */
const SAME_NETWORK_MINUTES = 30;
/** More heartbeats of one fingerprint in a day change nothing: two of them show that several phones have it. */
const MOST_STRANGERS = 3;
/** Somebody who was away for longer is new again anyway. */
const LONGEST_BEFORE_DAYS = 20;

export function simulateStarts(ground: Ground, installs: readonly Install[], taps: readonly Tap[]): StartTable {
  const { spec, values, size, places, random: randomFor } = ground;
  const random = randomFor('starts');
  const days = size.warmUp + size.days;
  const end = days * DAY;
  const strangers = strangersOf(ground);
  const starts = createStartList();
  for (let i = 0; i < installs.length; i++) addLife(installs[i]!, i);
  for (let i = 0; i < strangers.length; i++) addHeartbeats(strangers[i]!, installs.length + i);
  if (spec.rollout === undefined) addLastStarts();
  return starts.toTable([...installs, ...strangers], taps);

  function addLife(install: Install, index: number): void {
    const { phone, elsewhere, firstStartAt } = install;
    const lost = firstStartAt >= 0 && random.chance(values.lostAnswers);
    const until = Math.min(end, install.removedAt);
    let lastHeartbeat = Number.NEGATIVE_INFINITY;
    for (const at of timesOf(install, lost).sort((a, b) => a - b)) {
      if (at < install.clientFrom || at >= until) continue;
      const heartbeat = at - lastHeartbeat >= values.heartbeatHours * HOUR;
      if (heartbeat) lastHeartbeat = at;
      const isElsewhere = elsewhere && at < firstStartAt + SAME_NETWORK_MINUTES * MINUTE;
      const { v4, v6 } = places.addressesOf(phone.person, at, 0, isElsewhere);
      const isFirst = at === firstStartAt;
      starts.add({ at, v4, v6, heartbeat, heartbeatOnly: false, isFirst, lost: isFirst && lost }, index);
    }
  }

  function timesOf({ firstStartAt, startsADay }: Install, lost: boolean): number[] {
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
    for (let day = Math.max(0, Math.floor(firstStartAt / DAY)); day < days; day++) {
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
   * Adds the last start before the run of each user who had the app then. So the product knows these users as it would
   * after a long time.
   */
  function addLastStarts(): void {
    const random = randomFor('starts before');
    for (let i = 0; i < installs.length; i++) {
      const { phone, firstStartAt, startsADay } = installs[i]!;
      if (firstStartAt >= 0) continue;
      const since = Math.min(LONGEST_BEFORE_DAYS * DAY, Math.ceil(random.exponential(DAY / startsADay)));
      const at = Math.max(firstStartAt, -since);
      const { v4, v6 } = places.addressesOf(phone.person, at, 0);
      starts.add({ at, v4, v6, heartbeat: true, heartbeatOnly: false, isFirst: false, lost: false }, i);
    }
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
