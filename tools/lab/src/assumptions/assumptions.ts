// All assumptions of the simulation: value, unit, range and source. Most are guesses. `npm run lab -- --vary` prints how
// the result changes when one of them has its lowest or highest value. `worlds.ts` has the values that differ by world.

/** The range is the lowest and the highest value that we think possible. */
type Entry = readonly [value: number, unit: string, range: readonly [number, number], source: string];

const GUESS = 'guess';
const CLIENT = 'source of the public client';

const entries = {
  // The app and its users.
  penetration: [0.02, 'users of the app per person', [0.005, 0.1], 'guess: 200,000 users of 10 million people'],
  wholeUsers: [200_000, 'users of the whole app, of which a slice is simulated', [50_000, 1_000_000], GUESS],
  dailyInstalls: [0.02, 'installs per user and day', [0.005, 0.05], 'guess: a growing app. Mature ones: 0.003 to 0.01'],
  installsAfterTap: [0.45, 'of installs', [0.2, 0.7], GUESS],
  tappersWhoInstall: [0.35, 'of taps by people without the app', [0.15, 0.6], GUESS],
  reinstalls: [0.12, 'of installs', [0.05, 0.25], GUESS],
  reinstallsInAWeek: [
    0.25,
    'of reinstalls, at most 7 days after the removal. Later ones are like first installs',
    [0.1, 0.5],
    GUESS,
  ],
  startsADay: [2.5, 'cold starts per user and day', [1, 6], GUESS],
  startsShape: [0.8, 'shape of the gamma distribution of starts over users', [0.5, 2], GUESS],

  // Links and taps.
  userTaps: [0.12, 'links that a user taps in a day', [0.03, 0.4], GUESS],
  userTapsAtServer: [0.35, 'of taps of users, in a browser and not in the app', [0.15, 0.7], GUESS],
  userTapsOpened: [0.75, 'of these, press Open after that', [0.4, 0.95], GUESS],
  openAfterSeconds: [6, 'seconds from tap to Open, median (sigma 0.8)', [2, 20], GUESS],
  campaignTaps: [0.15, 'of taps, on links of campaigns', [0.05, 0.5], GUESS],
  campaignLinks: [5, 'links of campaigns at a time', [1, 20], GUESS],
  groupSize: [3, 'people who tap one invitation, mean', [1.5, 8], GUESS],
  inviteMinutes: [30, 'minutes from invitation to tap, median (sigma 1.5)', [5, 240], GUESS],
  invitedAtHome: [0.1, 'of invited people live with the inviter', [0.02, 0.3], GUESS],
  invitedAtWork: [0.15, 'of invited people work with the inviter', [0.05, 0.3], GUESS],
  tapAgain: [0.25, 'of taps are repeated within minutes', [0.1, 0.4], GUESS],
  tapAgainMinutes: [2, 'minutes to the repeated tap, median (sigma 0.8)', [0.5, 5], GUESS],
  tapOtherLink: [0.06, 'of people who tap, tap another link within a day', [0.02, 0.15], GUESS],
  desktopTaps: [0.05, 'of taps are made on a desktop', [0.01, 0.15], GUESS],
  inAppTaps: [0.35, 'of taps, in the browser of another app', [0.2, 0.7], 'guess: 0.2 to 0.7 by channel'],
  ownPreviews: [0.03, 'of invitations, previewed by the phone of the sender like a tap of a person', [0, 0.1], GUESS],
  burst: [1, 'taps of people without the app on the burst day, as a multiple of other days', [1, 8], GUESS],

  // From the tap to the first start.
  quickStarts: [0.72, 'of installs after a tap, at once', [0.5, 0.9], GUESS],
  quickMinutes: [3, 'minutes from tap to first start of these, median', [1.5, 6], GUESS],
  quickSigma: [0.9, 'sigma of these', [0.6, 1.2], GUESS],
  slowMinutes: [360, 'minutes from tap to first start of the others, median', [60, 1440], GUESS],
  slowSigma: [1.6, 'sigma of these', [1.2, 2], GUESS],
  startSeconds: [20, 'seconds from the end of the install to the first start, median (sigma 1)', [5, 60], GUESS],
  slowInstalledEarly: [0.5, 'of slow installs, installed at once and opened late', [0.2, 0.8], GUESS],
  lateOrganicStarts: [0.15, 'of installs without a tap, opened hours later', [0.05, 0.3], GUESS],
  reopens: [0.2, 'of first starts, followed by a start soon after', [0.1, 0.4], GUESS],
  reopenMinutes: [5, 'minutes to that start, median (sigma 1)', [1, 15], GUESS],
  lostAnswers: [0.02, 'of answers to a first start are lost', [0.005, 0.05], GUESS],
  startAgain: [0.7, 'of people whose answer was lost start again soon', [0.3, 0.9], GUESS],
  startAgainSeconds: [90, 'seconds to that start, median (sigma 1)', [30, 300], GUESS],
  heartbeatHours: [24, 'hours between two heartbeats at least', [24, 24], CLIENT],

  // Devices.
  iphones: [0.45, 'of phones', [0.04, 0.6], 'share of iOS: 4 % in India, 60 % in the USA'],
  secondDevices: [0.12, 'of people have a second device', [0.05, 0.3], GUESS],
  installedOnOther: [0.05, 'of these, tap on one device and install on the other', [0.01, 0.2], GUESS],
  androidModels: [
    1_000,
    'Android models (Zipf)',
    [250, 4_000],
    'OpenSignal 2014: the ten most common of 18,769 models have 15 % of phones',
  ],
  androidBuilds: [16, 'builds of a model in use (Zipf)', [4, 40], GUESS],
  zipfExponent: [0.7, 'exponent of Zipf for models and builds', [0.6, 1], 'the same: ten models have 16 %'],
  iosVersionNamed: [0.6, 'of iPhones name their system version in the user agent', [0.3, 1], GUESS],
  inAppNamesModel: [0.8, 'of Android in-app browsers name model and build', [0.5, 0.95], GUESS],
  makersKnown: [0.85, 'of Android models tell their maker, so that the fingerprint is known', [0.6, 0.95], GUESS],
  clientHints: [0.85, 'of Android browsers answer Critical-CH with the model', [0.6, 0.95], GUESS],
  safari: [0.85, 'of iPhone browsers are Safari', [0.7, 0.95], GUESS],
  chrome: [0.85, 'of Android browsers are Chrome', [0.6, 0.95], GUESS],
  relay: [
    0.02,
    'of Safari taps on iPhones come through Private Relay',
    [0.002, 0.1],
    'DENOG 15 (2023): some thousandths of all traffic',
  ],
  playTokens: [
    0.85,
    'of Play installs after a tap on this phone bring the referrer, if the client reads it: 80 of 100 after any tap',
    [0.5, 0.95],
    GUESS,
  ],
  clipboards: [
    0.8,
    'of iOS installs after a tap on this phone, in the time that a clipboard counts, bring it, if the client reads it: 50 of 100 after any tap',
    [0.3, 0.95],
    GUESS,
  ],
  clipboardMinutes: [10, 'minutes after the tap for which a token on the clipboard counts', [10, 60], 'the gateway'],
  tokenWorld: [0, 'of taps in an Android browser bring the referrer, whatever the client sends', [0, 0.8], GUESS],

  // Networks.
  homeSize: [2.4, 'people per home', [1.8, 4.4], 'guess, close to Germany (2.0) and the USA (2.5)'],
  homeLargest: [5, 'people in the largest home', [4, 8], GUESS],
  fixedInternet: [0.88, 'of homes have fixed internet', [0.3, 0.95], GUESS],
  homesWithIpv6: [0.5, 'of these have IPv6', [0.2, 0.75], 'guess: Germany has 0.7'],
  homesBehindNat: [0.1, 'of homes with fixed internet are behind a shared NAT', [0, 0.6], GUESS],
  natHomes: [64, 'homes behind one NAT', [16, 256], GUESS],
  mobileSubscribers: [
    2_000,
    'subscribers per mobile IPv4 address',
    [64, 10_000],
    'Europol 2017 and Cloudflare 2025: hundreds to thousands. Blocks of 512 or 1,024 ports (RFC 7422): 63 to 126',
  ],
  mobileKeepsAddress: [0.92, 'of mobile requests come from the address of the session', [0.8, 1], GUESS],
  mobileSessionHours: [6, 'hours of a mobile session', [1, 24], GUESS],
  mobileIpv6: [0.6, 'of mobile subscribers have IPv6', [0.3, 0.95], 'guess: Jio and T-Mobile US have over 0.9'],
  workers: [0.6, 'of people go to an office or a school', [0.4, 0.85], GUESS],
  officeSmallest: [20, 'people in the smallest office', [5, 50], GUESS],
  officeLargest: [2_000, 'people in the largest office (log-uniform)', [500, 5_000], GUESS],
  officeWifi: [0.55, 'of workers use the Wi-Fi there', [0.3, 0.9], GUESS],
  officesWithIpv6: [0.2, 'of offices have IPv6', [0.05, 0.5], GUESS],
  workPresence: [0.9, 'of working hours are spent there', [0.6, 1], GUESS],
  awakeAtHome: [0.7, 'of other waking hours are spent at home', [0.5, 0.9], GUESS],
  stayHours: [2, 'hours at one place, outside working hours', [1, 4], GUESS],
  outInCafes: [0.1, 'of time out is in cafés', [0.02, 0.3], GUESS],
  cafeRegulars: [200, 'regulars of a café', [50, 500], GUESS],
  otherNetwork: [0.08, 'of installs are on another network than the tap, beyond moving about', [0.02, 0.2], GUESS],
  browserIpv6: [0.95, 'of taps use IPv6, where the network and the link host have it', [0.85, 1], 'Happy Eyeballs'],
} as const satisfies Record<string, Entry>;

export type AssumptionName = keyof typeof entries;
export type Values = Readonly<Record<AssumptionName, number>>;

const named = ([value, unit, range, source]: Entry) => ({ value, unit, range, source });
export const assumptions = Object.fromEntries(
  Object.entries(entries).map(([name, entry]) => [name, named(entry)]),
) as Record<AssumptionName, ReturnType<typeof named>>;

export const assumptionNames = Object.keys(entries) as AssumptionName[];

/** The values of a usual world. */
export const usual = Object.fromEntries(assumptionNames.map((name) => [name, assumptions[name].value])) as Values;
