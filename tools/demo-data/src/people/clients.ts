// The clients of the people: their country, language, device and browser. Names of browsers and systems are those of
// real taps.
import { hash } from 'node:crypto';
import type { Channel } from '../links/channels.ts';
import { picker, type Random, valuePicker } from '../random.ts';

interface Country {
  /** Null for an address whose country is not known. */
  readonly code: string | null;
  /** The share of iPhones among phones. */
  readonly iphones: number;
  readonly language: (random: Random) => string;
}

const country = (code: string | null, iphones: number, languages: Readonly<Record<string, number>>): Country => ({
  code,
  iphones,
  language: picker(languages),
});

/** The countries of the people, with the percentage of people. */
const countryOf = valuePicker<Country>([
  [country('US', 0.57, { en: 87, es: 13 }), 24],
  [country('IN', 0.06, { en: 62, hi: 30, ta: 8 }), 15],
  [country('DE', 0.38, { de: 88, en: 8, tr: 4 }), 13],
  [country('GB', 0.52, { en: 96, pl: 4 }), 9],
  [country('BR', 0.19, { pt: 97, en: 3 }), 8],
  [country('FR', 0.36, { fr: 94, en: 6 }), 7],
  [country('ID', 0.12, { id: 90, en: 10 }), 6],
  [country('MX', 0.26, { es: 96, en: 4 }), 5],
  [country('ES', 0.25, { es: 80, ca: 14, en: 6 }), 4],
  [country('JP', 0.64, { ja: 98, en: 2 }), 4],
  [country('NP', 0.08, { ne: 55, en: 45 }), 3],
  [country('CA', 0.6, { en: 76, fr: 24 }), 2],
  [country(null, 0.4, { en: 60, es: 20, ar: 20 }), 1],
]);

/** Safari keeps one of the versions 18 on later systems. */
const iosVersion = picker({ '18.7': 48, '18.6': 21, '18.5': 9, '26.1': 8, '17.7': 7, '16.7': 5, '15.8': 2 });
const androidVersion = picker({ 16: 16, 15: 31, 14: 24, 13: 14, 12: 8, 11: 5, 9: 2 });
const iosBrowser = picker({ Safari: 88, Chrome: 8, 'Google Search': 3, Firefox: 1 });
const androidBrowser = picker({
  Chrome: 80,
  'Samsung Internet for Android': 13,
  Opera: 3,
  Firefox: 3,
  'Microsoft Edge': 1,
});
const computerSystem = picker({ Windows: 62, macOS: 28, Linux: 5, 'Chrome OS': 5 });
const computerBrowser = {
  Windows: picker({ Chrome: 68, 'Microsoft Edge': 20, Firefox: 10, Opera: 2 }),
  macOS: picker({ Safari: 52, Chrome: 42, Firefox: 6 }),
  Linux: picker({ Chrome: 55, Firefox: 45 }),
  'Chrome OS': picker({ Chrome: 1 }),
};

/** A person with a phone, as far as the app knows them. */
export interface PhoneOwner {
  readonly platform: 'ios' | 'android';
  readonly country: string | null;
  readonly address: string;
}

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

export function phoneOwner(random: Random): PhoneOwner {
  const from = countryOf(random);
  const platform = random.chance(from.iphones) ? 'ios' : 'android';
  return { platform, country: from.code, address: random.hash() };
}

/** The share of people who find their link in the same network as the last one before them. */
const NEIGHBOURS = 0.06;

/**
 * Returns a function that makes the client of a person who finds a link in a channel.
 * @param homes tells who is in one network with another
 */
export function clientMaker(random: Random, homes: Random): (channel: Channel) => Client {
  let lastAddress: string | null = null;
  const addressOf = (own: string): string => {
    const address = lastAddress !== null && homes.chance(NEIGHBOURS) ? lastAddress : own;
    lastAddress = address;
    return address;
  };
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
      country: from.code,
      language: device.platform === 'unknown' ? null : from.language(random),
      address: addressOf(random.hash()),
      userAgent: userAgentOf(`${os} ${osVersion} ${browser} ${inAppBrowser} ${random.below(models)}`),
    };
  };
}

type Device = Pick<Client, 'platform' | 'os' | 'osVersion' | 'browser' | 'inAppBrowser'>;
const UNKNOWN: Device = { platform: 'unknown', os: null, osVersion: null, browser: null, inAppBrowser: null };

function deviceOf(channel: Channel, from: Country, random: Random): Device {
  if (random.chance(0.004)) return UNKNOWN;
  if (random.chance(channel.computers)) {
    const os = computerSystem(random);
    // Browsers of computers hide the version of the system.
    return { platform: 'desktop', os, osVersion: null, browser: computerBrowser[os](random), inAppBrowser: null };
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
