// The phones of people, and the browsers in which they tap.
import type { Values } from '../assumptions/assumptions.ts';
import { getOrMake } from '../get-or-make.ts';
import { drawOf, indexAt, type Random, sumsOf, zipf } from './random.ts';

export type Platform = 'ios' | 'android';

export interface Phone {
  readonly person: number;
  readonly platform: Platform;
  readonly model: number;
  readonly build: number;
  /** The system version, by number. */
  readonly osVersion: number;
  /** True when user agents name the system version. Newer iPhones do not. */
  readonly namesVersion: boolean;
  /** True for Safari on iPhones and for Chrome on Android. */
  readonly usualBrowser: boolean;
  readonly browserVersion: number;
  readonly relay: boolean;
  /** True when the browser answers Critical-CH with the model. */
  readonly clientHints: boolean;
  /** The device that the public client's fingerprint names. On iPhones each install has a number of its own. */
  readonly androidDevice: number;
}

/** The facts of the browser that a tap shows. */
export interface Browser {
  /** Equal numbers are equal user agents. */
  readonly userAgent: number;
  readonly inApp: boolean;
  readonly relay: boolean;
  /** Null when the user agent does not name it. */
  readonly osVersion: number | null;
  readonly model: number | null;
  /** The model in the client hints. */
  readonly hintedModel: number | null;
  /** The device that the public client's fingerprint would name, where model and build tell it. */
  readonly build: number | null;
}

const IOS_NAMED_VERSIONS = zipf(12, 1);
const IOS_NEWEST_VERSIONS = zipf(4, 1);
const IPHONE_MODELS = zipf(20, 0.7);
const BROWSER_VERSIONS = sumsOf([0.7, 0.2, 0.1]);
const APPS_WITH_BROWSER = zipf(6, 1);
const APP_VERSIONS = zipf(4, 1);
const DESKTOP_AGENTS = 30;

export function createPhones(values: Values, seed: number) {
  const models = zipf(values.androidModels, values.zipfExponent);
  const builds = zipf(values.androidBuilds, values.zipfExponent);
  const phones = new Map<number, Phone>();
  const agents = new Map<string, number>();
  const agentOf = (...parts: readonly (string | number)[]): number =>
    getOrMake(agents, parts.join(' '), () => agents.size);

  return {
    /** The devices that Android fingerprints name have lower numbers, those of iPhones higher ones. */
    androidDevices: values.androidModels * values.androidBuilds,
    /** Returns a phone of a person: 0 is the usual one. */
    phoneOf(person: number, which: number): Phone {
      const key = person * 2 + which;
      return getOrMake(phones, key, () => makePhone(person, (what) => drawOf(seed, 40 + what, key)));
    },
    /** Returns the browser of a tap. */
    browserOf(phone: Phone, inApp: boolean, random: Random): Browser {
      return phone.platform === 'ios' ? iphoneBrowser(phone, inApp, random) : androidBrowser(phone, inApp, random);
    },
    desktopBrowser: (person: number): number =>
      agentOf('desktop', Math.floor(drawOf(seed, 60, person) * DESKTOP_AGENTS)),
    /** Returns the share of Android phones that have a fingerprint. */
    shareOf(device: number): number {
      const model = Math.floor(device / values.androidBuilds);
      return shareIn(models, model) * shareIn(builds, device % values.androidBuilds);
    },
  };

  function makePhone(person: number, draw: (what: number) => number): Phone {
    const isIphone = draw(0) < values.iphones;
    const browserVersion = indexAt(BROWSER_VERSIONS, draw(7));
    const common = { person, browserVersion, relay: isIphone && draw(1) < values.relay };
    if (isIphone) {
      const namesVersion = draw(2) < values.iosVersionNamed;
      const versions = namesVersion ? IOS_NAMED_VERSIONS : IOS_NEWEST_VERSIONS;
      const osVersion = indexAt(versions, draw(3)) + (namesVersion ? IOS_NEWEST_VERSIONS.length : 0);
      const model = indexAt(IPHONE_MODELS, draw(4));
      const usualBrowser = draw(5) < values.safari;
      const rest = { build: 0, clientHints: false, androidDevice: -1 };
      return { ...common, platform: 'ios', model, osVersion, namesVersion, usualBrowser, ...rest };
    }
    const model = indexAt(models, draw(4));
    const build = indexAt(builds, draw(3));
    return {
      ...common,
      platform: 'android',
      model,
      build,
      osVersion: build % 4,
      namesVersion: false,
      usualBrowser: draw(5) < values.chrome,
      clientHints: draw(6) < values.clientHints,
      androidDevice: model * values.androidBuilds + build,
    };
  }

  function iphoneBrowser(phone: Phone, inApp: boolean, random: Random): Browser {
    const { model, osVersion, namesVersion, usualBrowser, browserVersion, relay } = phone;
    const named = namesVersion ? osVersion : null;
    const none = { osVersion: named, model: null, hintedModel: null, build: null };
    if (inApp) {
      const app = [random.weighted(APPS_WITH_BROWSER), random.weighted(APP_VERSIONS)];
      return { ...none, inApp, relay: false, userAgent: agentOf('ios app', ...app, `${named}`, model) };
    }
    const userAgent = agentOf('ios', usualBrowser ? 'safari' : browserVersion, `${named}`);
    return { ...none, inApp, relay: usualBrowser && relay, userAgent };
  }

  function androidBrowser(phone: Phone, inApp: boolean, random: Random): Browser {
    const { model, build, usualBrowser, browserVersion, clientHints, androidDevice } = phone;
    const none = { inApp, relay: false, osVersion: null, model: null, build: null };
    if (!inApp) {
      const userAgent = agentOf('android', usualBrowser ? 'chrome' : 'other', browserVersion);
      return { ...none, userAgent, hintedModel: clientHints ? model : null };
    }
    const app = [random.weighted(APPS_WITH_BROWSER), random.weighted(APP_VERSIONS)];
    if (!random.chance(values.inAppNamesModel)) {
      return { ...none, userAgent: agentOf('android app', ...app), hintedModel: null };
    }
    const userAgent = agentOf('android app', ...app, model, build);
    const isMakerKnown = drawOf(seed, 61, model) < values.makersKnown;
    const named = { osVersion: phone.osVersion, model, hintedModel: model, build: isMakerKnown ? androidDevice : null };
    return { ...none, ...named, userAgent };
  }
}
export type Phones = ReturnType<typeof createPhones>;

const shareIn = (sums: Float64Array, i: number): number => (sums[i]! - (sums[i - 1] ?? 0)) / sums[sums.length - 1]!;
