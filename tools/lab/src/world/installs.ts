// The users of the app, the times of their installs, and the next ones.
import type { Install } from './events.ts';
import type { Ground } from './ground.ts';
import { DAY, HOUR, MINUTE, SECOND } from './time.ts';

/** A person who will have the app, and the reason. */
type Arrival = Pick<Install, 'phone' | 'installedAt' | 'firstStartAt' | 'elsewhere' | 'due'>;
type Times = Pick<Install, 'installedAt' | 'firstStartAt'>;

/** Days since the install of a user at the begin of the run, on average. */
const USER_AGE_DAYS = 100;
const EARLY_INSTALL_MINUTES = 2;
const MOST_TAKEN = 0.95;

export function createInstalls({ spec, values, size, people, phones, random: randomFor }: Ground) {
  const random = randomFor('installs');
  const all: Install[] = [];
  const coming: Install[] = [];
  let users: Install[] = [];
  const byPerson = new Map<number, Install>();
  let iphoneInstalls = 0;

  for (let i = 0; i < size.users; i++) {
    const phone = phones.phoneOf(stranger(), 0);
    const installedAt = Math.floor(-DAY - random.exponential(USER_AGE_DAYS * DAY));
    const clientFrom = spec.rollout ? Math.floor(random.uniform() * spec.rollout.days * DAY) : installedAt;
    users.push(made({ phone, installedAt, firstStartAt: installedAt, elsewhere: false, due: null }, clientFrom));
  }

  return {
    /** All installs of the run, in the order in which they were decided. */
    all,
    /** Returns the number of people with the app at the begin of the day. */
    count: (): number => users.length,
    /** Lets people count as users whose first start was before this time. */
    advance(at: number): void {
      users = users.filter((user) => user.removedAt > at);
      for (const install of coming.splice(0)) (install.firstStartAt < at ? users : coming).push(install);
    },
    someUser: (): Install => random.pick(users),
    /** Returns the install of a person who has the app now, or undefined. */
    of: (person: number): Install | undefined => byPerson.get(person),
    stranger,
    /** Returns a user who removed the app in the week before and comes back. */
    returning(at: number): number {
      const user = random.pick(users);
      const removedAt = Math.floor(at - random.uniform() * 7 * DAY);
      user.removedAt = Math.min(user.removedAt, Math.max(removedAt, user.firstStartAt));
      return user.phone.person;
    },
    add(arrival: Arrival): Install {
      const install = made(arrival, arrival.firstStartAt);
      coming.push(install);
      return install;
    },
    /** Returns when the app is installed and started after a tap at this time. */
    afterTap(at: number): Times {
      if (random.chance(values.quickStarts)) {
        const firstStartAt = Math.ceil(at + random.logNormal(values.quickMinutes * MINUTE, values.quickSigma));
        return { firstStartAt, installedAt: beforeStart(at, firstStartAt) };
      }
      const firstStartAt = Math.ceil(at + random.logNormal(values.slowMinutes * MINUTE, values.slowSigma));
      if (!random.chance(values.slowInstalledEarly))
        return { firstStartAt, installedAt: beforeStart(at, firstStartAt) };
      const early = at + random.logNormal(EARLY_INSTALL_MINUTES * MINUTE, 0.5);
      return { firstStartAt, installedAt: Math.floor(Math.min(early, (at + firstStartAt) / 2)) };
    },
    /** Returns when an app that is installed at this time is started. */
    organic(installedAt: number): Times {
      const wait = random.chance(values.lateOrganicStarts)
        ? random.logNormal(6 * HOUR, values.slowSigma)
        : random.logNormal(values.startSeconds * SECOND, 1);
      return { installedAt, firstStartAt: Math.ceil(installedAt + wait) };
    },
    /** Returns true when the next install is the return of a person who removed the app within a week before it. */
    isReturn: (): boolean => random.chance(values.reinstalls * values.reinstallsInAWeek),
    isTaken: (person: number): boolean => byPerson.has(person),
  };

  /** Returns a person who has no app and gets none yet. */
  function stranger(): number {
    if (byPerson.size >= MOST_TAKEN * people.count) {
      throw new Error(`Nearly all people of the world ${spec.name} have the app: simulate fewer days.`);
    }
    for (;;) {
      const person = random.below(people.count);
      if (!byPerson.has(person)) return person;
    }
  }

  /** An app is installed at least a second after the tap, and started at least a second after the install. */
  function beforeStart(tappedAt: number, firstStartAt: number): number {
    const before = Math.min(random.logNormal(values.startSeconds * SECOND, 1), 0.9 * (firstStartAt - tappedAt));
    return Math.floor(firstStartAt - before);
  }

  function made(arrival: Arrival, clientFrom: number): Install {
    const { phone, due } = arrival;
    // A token names a tap on the phone that installs. A desktop has no store of phones.
    const own = due !== null && due.platform === phone.platform && due.phone === phone ? due : null;
    const isAndroid = phone.platform === 'android';
    const install = {
      ...arrival,
      device: isAndroid ? phone.androidDevice : phones.androidDevices + iphoneInstalls++,
      ownId: all.length,
      clientFrom,
      startsADay: random.gamma(values.startsADay, values.startsShape),
      referrer: isAndroid && random.chance(values.playTokens) ? own : null,
      clipboard: !isAndroid && random.chance(values.clipboards) ? own : null,
      sentReferrer: isAndroid && own?.inApp === false && random.chance(values.tokenWorld) ? own : null,
      removedAt: Number.POSITIVE_INFINITY,
    };
    byPerson.set(phone.person, install);
    all.push(install);
    return install;
  }
}
export type Installs = ReturnType<typeof createInstalls>;
