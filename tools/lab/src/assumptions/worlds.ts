// The worlds that rules are judged in, and what differs in each of them.
import { usual, type Values } from './assumptions.ts';

export interface WorldSpec {
  readonly name: string;
  /** The difference, in words. */
  readonly says: string;
  readonly values: Values;
  /** The number of users, when the whole app is simulated and not a slice. */
  readonly users?: number;
  /** Scored days, when they are not those of the run. */
  readonly days?: number;
  /** True when it does not count for the mean of the worlds: it shows one influence alone. */
  readonly isApart?: boolean;
  /** Set when an update with the client reaches the users that the app had before. */
  readonly rollout?: Rollout;
}

export interface Rollout {
  /** Days until the update has reached all users. */
  readonly days: number;
  /** Days between the creation of the app in Landfall and the begin of the rollout. */
  readonly createdDaysBefore: number;
}

const home: Partial<Values> = { fixedInternet: 0.92, workers: 0.5, officeWifi: 0.5 };
const office: Partial<Values> = { workers: 0.85, officeWifi: 0.9 };
const world = (name: string, says: string, differs: Partial<Values>, more: Partial<WorldSpec> = {}): WorldSpec => ({
  name,
  says,
  values: { ...usual, ...differs },
  ...more,
});

export const worlds: readonly WorldSpec[] = [
  world('home', '92 % fixed internet, half at work, half of these on its Wi-Fi', home),
  world('office', '85 % at work, 90 % on its Wi-Fi', office),
  world(
    'carrier',
    'homes of 4.4, 30 % fixed internet, 60 % of it behind a shared NAT, 5 % iPhones, 3,000 for each mobile address',
    {
      homeSize: 4.4,
      homeLargest: 8,
      fixedInternet: 0.3,
      homesBehindNat: 0.6,
      iphones: 0.05,
      mobileSubscribers: 3_000,
    },
  ),
  world('relay', '75 % iPhones, 10 % of Safari taps by Private Relay', { iphones: 0.75, relay: 0.1 }),
  world(
    'small',
    '1,000 users among 1 million people, 14 days, 5 % installs a day',
    { penetration: 0.001, wholeUsers: 1_000, dailyInstalls: 0.05 },
    { users: 1_000, days: 14 },
  ),
  world('large', '10 % of people have the app, 1 of 10 million', { penetration: 0.1, wholeUsers: 1_000_000 }),
  world('viral', 'home, with 90 % of taps on one link of a campaign, bursting on one day', {
    ...home,
    campaignTaps: 0.9,
    campaignLinks: 1,
    burst: 4,
  }),
  world(
    'token',
    'home, with a Play token in 80 % of Android browser taps',
    { ...home, tokenWorld: 0.8 },
    { isApart: true },
  ),
];

/** The world home with other numbers of subscribers for each mobile address. Public figures reach from 64 to thousands. */
export const subscribers: readonly WorldSpec[] = [64, 200, 500, 1_000, 2_000, 5_000, 10_000].map((n) =>
  world(
    `subscribers-${n}`,
    `home, with ${n.toLocaleString('en')} subscribers for each mobile address`,
    { ...home, mobileSubscribers: n },
    { isApart: true },
  ),
);

const rollout = (name: string, where: Partial<Values>, days: number, createdDaysBefore: number): WorldSpec => {
  const reach = days < 1 ? 'within minutes' : `within ${days} days`;
  const age = createdDaysBefore === 0 ? 'on the day of the update' : `${createdDaysBefore} days before the update`;
  const place = where === home ? 'home' : 'office';
  return world(
    `${place}-${name}`,
    `${place}: an update reaches all users ${reach}; the app was made in Landfall ${age}`,
    where,
    { rollout: { days, createdDaysBefore } },
  );
};

/** Apps that had users before they adopted Landfall. */
export const rollouts: readonly WorldSpec[] = [home, office].flatMap((where) => [
  rollout('minutes', where, 0.01, 0),
  rollout('2-days', where, 2, 0),
  rollout('7-days', where, 7, 0),
  rollout('minutes-later', where, 0.01, 30),
  rollout('2-days-later', where, 2, 30),
  rollout('7-days-later', where, 7, 30),
]);
