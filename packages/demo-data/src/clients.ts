// The clients of the people: their country, language, device and browser. Names of browsers and systems are those of
// real taps.
import { hash } from 'node:crypto';
import type { Channel } from './channels.ts';
import { picker, type Random } from './random.ts';

type Weighted<T> = readonly (readonly [value: T, weight: number])[];

interface Country {
  readonly code: string;
  /** The share of iPhones among phones. */
  readonly iphones: number;
  readonly language: (random: Random) => string;
}

const country = (code: string, iphones: number, languages: Weighted<string>): Country => ({
  code,
  iphones,
  language: picker(languages),
});

/** Countries with their percentage of all people. */
const COUNTRIES: Weighted<Country> = [
  [
    country('US', 0.57, [
      ['en', 87],
      ['es', 13],
    ]),
    24,
  ],
  [
    country('IN', 0.06, [
      ['en', 62],
      ['hi', 30],
      ['ta', 8],
    ]),
    15,
  ],
  [
    country('DE', 0.38, [
      ['de', 88],
      ['en', 8],
      ['tr', 4],
    ]),
    13,
  ],
  [
    country('GB', 0.52, [
      ['en', 96],
      ['pl', 4],
    ]),
    9,
  ],
  [
    country('BR', 0.19, [
      ['pt', 97],
      ['en', 3],
    ]),
    8,
  ],
  [
    country('FR', 0.36, [
      ['fr', 94],
      ['en', 6],
    ]),
    7,
  ],
  [
    country('ID', 0.12, [
      ['id', 90],
      ['en', 10],
    ]),
    6,
  ],
  [
    country('MX', 0.26, [
      ['es', 96],
      ['en', 4],
    ]),
    5,
  ],
  [
    country('ES', 0.25, [
      ['es', 80],
      ['ca', 14],
      ['en', 6],
    ]),
    4,
  ],
  [
    country('JP', 0.64, [
      ['ja', 98],
      ['en', 2],
    ]),
    4,
  ],
  [
    country('NP', 0.08, [
      ['ne', 55],
      ['en', 45],
    ]),
    3,
  ],
  [
    country('CA', 0.6, [
      ['en', 76],
      ['fr', 24],
    ]),
    2,
  ],
];
const countryOf = picker(COUNTRIES);
/** The share of addresses whose country is not known. */
const UNKNOWN_COUNTRY = 0.01;

/** Safari keeps one of these versions on later systems. */
const iosVersion = picker([
  ['18.7', 48],
  ['18.6', 21],
  ['18.5', 9],
  ['26.1', 8],
  ['17.7', 7],
  ['16.7', 5],
  ['15.8', 2],
]);
const androidVersion = picker([
  ['15', 31],
  ['14', 24],
  ['16', 16],
  ['13', 14],
  ['12', 8],
  ['11', 5],
  ['9', 2],
]);
const iosBrowser = picker([
  ['Safari', 88],
  ['Chrome', 8],
  ['Google Search', 3],
  ['Firefox', 1],
]);
const SAMSUNG = 'Samsung Internet for Android';
const androidBrowser = picker([
  ['Chrome', 80],
  [SAMSUNG, 13],
  ['Opera', 3],
  ['Firefox', 3],
  ['Microsoft Edge', 1],
]);
const computer = picker([
  [
    {
      os: 'Windows',
      browser: picker([
        ['Chrome', 68],
        ['Microsoft Edge', 20],
        ['Firefox', 10],
        ['Opera', 2],
      ]),
    },
    62,
  ],
  [
    {
      os: 'macOS',
      browser: picker([
        ['Safari', 52],
        ['Chrome', 42],
        ['Firefox', 6],
      ]),
    },
    28,
  ],
  [
    {
      os: 'Linux',
      browser: picker([
        ['Chrome', 55],
        ['Firefox', 45],
      ]),
    },
    5,
  ],
  [{ os: 'Chrome OS', browser: picker([['Chrome', 1]]) }, 5],
]);

/** A person with a phone, as far as the app knows them. */
export interface PhoneOwner {
  readonly platform: 'ios' | 'android';
  readonly country: string | null;
  readonly address: string;
}

/** A person with a browser. */
export interface Client {
  readonly platform: 'ios' | 'android' | 'desktop' | 'unknown';
  readonly country: string | null;
  readonly language: string | null;
  readonly os: string | null;
  readonly osVersion: string | null;
  readonly browser: string | null;
  readonly inAppBrowser: string | null;
  readonly address: string;
  readonly userAgent: string;
}

const knownCode = ({ code }: Country, random: Random) => (random.chance(UNKNOWN_COUNTRY) ? null : code);

export function phoneOwner(random: Random): PhoneOwner {
  const from = countryOf(random);
  const platform = random.chance(from.iphones) ? 'ios' : 'android';
  return { platform, country: knownCode(from, random), address: random.hash() };
}

/** Returns a function that makes the client of a person who finds a link in a channel. */
export function clientMaker(random: Random): (channel: Channel) => Client {
  // Browsers of one version have one user agent, so there are few. They are kept.
  const userAgents = new Map<string, string>();
  const userAgentOf = (text: string): string => {
    let found = userAgents.get(text);
    if (found === undefined) {
      found = hash('sha256', text, 'base64url');
      userAgents.set(text, found);
    }
    return found;
  };

  return (channel) => {
    const from = countryOf(random);
    const device = deviceOf(channel, from, random);
    const { os, osVersion, browser, inAppBrowser } = device;
    // Browsers in apps name the model of an Android phone.
    const models = os === 'Android' && (inAppBrowser !== null || osVersion !== null) ? 40 : 3;
    return {
      ...device,
      country: knownCode(from, random),
      language: device.platform === 'unknown' ? null : from.language(random),
      address: random.hash(),
      userAgent: userAgentOf(`${os} ${osVersion} ${browser} ${inAppBrowser} ${random.below(models)}`),
    };
  };
}

type Device = Pick<Client, 'platform' | 'os' | 'osVersion' | 'browser' | 'inAppBrowser'>;
const UNKNOWN: Device = { platform: 'unknown', os: null, osVersion: null, browser: null, inAppBrowser: null };

function deviceOf(channel: Channel, from: Country, random: Random): Device {
  if (random.chance(0.004)) return UNKNOWN;
  if (random.chance(channel.computers)) {
    const { os, browser } = computer(random);
    // Browsers of computers hide the version of the system.
    return { platform: 'desktop', os, osVersion: null, browser: browser(random), inAppBrowser: null };
  }
  const { inApp } = channel;
  const inAppBrowser = inApp !== null && random.chance(inApp[1]) ? inApp[0] : null;
  if (random.chance(from.iphones)) {
    const browser = inAppBrowser === null ? iosBrowser(random) : 'Safari';
    return { platform: 'ios', os: 'iOS', osVersion: iosVersion(random), browser, inAppBrowser };
  }
  const browser = inAppBrowser === null ? androidBrowser(random) : 'Chrome';
  // Chrome and its relatives hide the version. Browsers in apps and Firefox name it.
  const osVersion = inAppBrowser !== null || browser === 'Firefox' ? androidVersion(random) : null;
  return { platform: 'android', os: 'Android', osVersion, browser, inAppBrowser };
}
