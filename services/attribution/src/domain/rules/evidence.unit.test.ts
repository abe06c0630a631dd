import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aDevice,
  anAsk,
  aSighting,
  aTap,
  CHROME,
  HOME,
  hashOf,
  id,
  matching,
  minutesAgo,
  outcome,
  UNCLEAR,
} from '../../values.testing.ts';
import type { Ask, PendingLink } from '../candidate.ts';
import { decide } from '../match.ts';

const PIXEL = 'cGl4ZWwgOCA';
const GALAXY = 'Z2FsYXh5IHM';
const HOME_V6 = hashOf('2001:db8::/64');

const onPixel = (tap: Partial<PendingLink> = {}) =>
  aTap({ platform: 'android', userAgent: CHROME, model: PIXEL, ...tap });
const pixel = (ask: Partial<Ask> = {}) => anAsk({ platform: 'android', model: PIXEL, ...ask });

const reasonOf = (rows: PendingLink[], ask: Ask) =>
  decide(ask, rows, aSighting()).verdicts.find((verdict) => verdict.taken)?.reason;

describe('another phone', () => {
  it('of another model, or with another Android, gets no tap', () => {
    expect(outcome([onPixel()], pixel({ model: GALAXY }))).toBe('tapped on another model of phone');
    expect(outcome([onPixel({ osMajor: 13 })], pixel({ osMajor: 14 }))).toBe(
      'tapped on Android 13, and the app was started on Android 14',
    );
  });

  it('is excluded, so that it makes the tap of this one clear', () => {
    const galaxy = onPixel({ id: id(0x200), linkId: id(2), model: GALAXY, userAgent: hashOf('other') });
    expect(outcome([onPixel(), galaxy], anAsk({ platform: 'android' }))).toBe(UNCLEAR);
    expect(outcome([onPixel(), galaxy], pixel())).toBe('address: 1');
    // The remaining tap must be of the same model. Otherwise a made-up model would do.
    expect(outcome([onPixel({ model: null }), galaxy], pixel())).toContain(UNCLEAR);
  });

  it('with the same user agent is not the same browser', () => {
    const galaxy = onPixel({ id: id(0x200), linkId: id(2), model: GALAXY, tappedAt: minutesAgo(2) });
    const unknown = anAsk({ platform: 'android' });
    expect(outcome([onPixel(), galaxy], unknown)).toBe(UNCLEAR);
    expect(outcome([onPixel(), { ...galaxy, model: null }], unknown)).toBe('address: 1');
  });

  it('is not told by what is unknown', () => {
    for (const ask of [{ model: null }, { osMajor: 14 }, { platform: null }] as const)
      expect(outcome([onPixel()], pixel(ask))).toBe('address: 1');
    expect(outcome([onPixel({ model: null, osMajor: 14 })], pixel())).toBe('address: 1');
  });
});

describe("the public client's fingerprint, which a web view tells", () => {
  const BUILD = 'YnVpbGQgMSA';
  const inWebView = (tap: Partial<PendingLink> = {}) =>
    onPixel({ model: null, builds: ['b3RoZXIgMSA', BUILD], ...tap });
  const publicClient = (build: string) => anAsk({ build });

  it('excludes the taps of other phones', () => {
    expect(outcome([inWebView()], publicClient('YW4gaVBob24'))).toBe(
      'tapped on another model of phone, or another build of Android',
    );
    expect(outcome([inWebView({ builds: null })], publicClient(BUILD))).toBe('address: 1');
    expect(outcome([inWebView()], anAsk())).toBe('address: 1');
  });

  it('makes the tap of this phone clear, and no other', () => {
    const elsewhere = { id: id(0x200), linkId: id(2), userAgent: hashOf('other'), tappedAt: minutesAgo(2) };
    const other = inWebView({ ...elsewhere, builds: ['b3RoZXIgMSA'] });
    expect(outcome([inWebView(), other], publicClient(BUILD))).toBe('address: 1');
    expect(outcome([inWebView({ builds: null }), other], publicClient(BUILD))).toContain('2 different links');
  });

  it('gives a tap among at most 20 others, however old it is in the window', () => {
    const among = (others: number, build = BUILD) =>
      outcome(
        [inWebView({ others, tappedAt: minutesAgo(59) })],
        publicClient(build),
        aSighting({ others: others + 1 }),
      );
    expect([among(20), among(21)]).toEqual([
      'address: 1',
      'tapped 59 minutes earlier: with 21 people at this address, the tap must be less than 4 minutes old',
    ]);
    const old = [inWebView({ tappedAt: minutesAgo(60) })];
    expect(outcome(old, publicClient(BUILD))).toBe('');
  });

  it('gives it to a phone of a shared fingerprint, whoever came', () => {
    const device = aDevice({ sharedAt: minutesAgo(1440), newSince: minutesAgo(5_000), firstSeen: minutesAgo(5_000) });
    const busy = aSighting({ device, others: 15, newcomers: 15, lastHeartbeatAt: minutesAgo(0.1) });
    const tap = inWebView({ tappedAt: minutesAgo(50) });
    expect(outcome([tap], publicClient(BUILD), busy)).toBe('address: 1');
    expect(outcome([{ ...tap, builds: null }], publicClient(BUILD), busy)).toBe(
      'several phones look the same to Landfall: then at most 6 people may have been at this address in the last 24 hours besides it, and there were 14',
    );
  });
});

it('an iPhone is compared by its platform alone', () => {
  const tap = aTap({ platform: 'ios', model: PIXEL, osMajor: 17, tappedAt: minutesAgo(59) });
  const iphone = anAsk({ platform: 'ios', model: GALAXY, osMajor: 18 });
  expect(outcome([tap], iphone)).toBe('address: 1');
  // An equal model does not make the window longer.
  expect(outcome([{ ...tap, tappedAt: minutesAgo(61) }], { ...iphone, model: PIXEL })).toBe('');
});

describe('people at the address', () => {
  const with6 = 'tapped 25 minutes earlier: with 6 people at this address, the tap must be less than 15 minutes old';
  const crowded = onPixel({ tappedAt: minutesAgo(25), others: 6, othersOfPlatform: 4, othersAlike: 1 });

  it('whose phone contradicts the tap do not count, when the phone that asks is known', () => {
    expect(outcome([crowded], pixel())).toBe('address: 1');
    expect(outcome([crowded], anAsk({ platform: 'android' }))).toBe(
      'tapped 25 minutes earlier: with 4 people at this address, the tap must be less than 22 minutes old',
    );
    // It may be any of them.
    expect(outcome([crowded], anAsk())).toBe(with6);
  });

  it('count whole when they were not compared', () => {
    const old = { ...crowded, othersOfPlatform: null, othersAlike: null };
    expect(outcome([old], pixel())).toBe(with6);
  });

  it('share their time with the tap of an iPhone by platform', () => {
    const tap = aTap({ tappedAt: minutesAgo(20), others: 6, othersOfPlatform: 2, othersAlike: 1 });
    expect(outcome([tap], anAsk({ platform: 'ios' }))).toBe('address: 1');
  });
});

describe('the window', () => {
  const alone = { personMinutes: 1440 };

  it('is longer for the same model', () => {
    const at = (minutes: number, ask: Partial<Ask> = {}) =>
      outcome([onPixel({ tappedAt: minutesAgo(minutes) })], pixel({ matching: matching(alone), ...ask }));
    expect([at(119), at(120)]).toEqual(['address: 1', '']);
    expect([at(59, { model: null }), at(61, { model: null })]).toEqual(['address: 1', '']);
    expect(at(5, { matching: matching({ ...alone, windowMinutes: 0 }) })).toBe('');
    expect(at(119, { matching: matching({ ...alone, modelWindowMinutes: 0 }) })).toBe('');
  });

  it('is longer over IPv6, and people share more time', () => {
    const at = (minutes: number, others: number) =>
      outcome([aTap({ address: HOME_V6, tappedAt: minutesAgo(minutes), others })], anAsk({ ipv6: HOME_V6 }));
    expect([at(119, 2), at(120, 2)]).toEqual(['address: 1', '']);
    expect([at(59, 4), at(60, 4)]).toEqual([
      'address: 1',
      'tapped 1 hour earlier: with 4 people at this address, the tap must be less than 1 hour old',
    ]);
  });

  it('is the short one for a tap over IPv4 by a phone that proved its IPv6 address', () => {
    expect(outcome([aTap({ tappedAt: minutesAgo(61) })], anAsk({ ipv6: HOME_V6 }))).toBe('');
  });
});

it('an IPv6 address that was not proved matches nothing', () => {
  expect(outcome([aTap({ address: HOME_V6 })], anAsk())).toBe('');
});

it('taps at both addresses of a phone are candidates together', () => {
  const overIpv6 = aTap({ id: id(0x200), linkId: id(2), address: HOME_V6, userAgent: CHROME });
  expect(outcome([aTap(), overIpv6], anAsk({ ipv6: HOME_V6 }))).toBe(UNCLEAR);
  expect(outcome([aTap(), { ...overIpv6, linkId: id(1) }], anAsk({ ipv6: HOME_V6 }))).toBe('address: 1');
});

it('an app that allows exact evidence only matches nothing by address', () => {
  const ask = pixel({ matching: matching({ evidence: 'exact' }) });
  expect(outcome([onPixel()], ask)).toBe('');
  expect(
    decide({ ...ask, email: hashOf('kim') }, [onPixel({ email: hashOf('kim') })], aSighting()).matches,
  ).toHaveLength(1);
});

it('the reason names the evidence', () => {
  expect(reasonOf([onPixel()], pixel({ installedSecondsAgo: 30 }))).toBe(
    'tapped 1 minute earlier at this address, 1 person there, the same model of phone, installed 30 seconds earlier',
  );
  expect(reasonOf([aTap({ address: HOME_V6 })], anAsk({ ipv6: HOME_V6, platform: 'ios' }))).toBe(
    'tapped 1 minute earlier at this address, 1 person there, over IPv6, the same platform',
  );
  expect(reasonOf([aTap({ address: HOME })], anAsk())).toBe('tapped 1 minute earlier at this address, 1 person there');
});

it('a phone that tells another model than its own gets nothing that it would not have got', () => {
  const models = fc.constantFrom(PIXEL, GALAXY, null);
  const taps = fc.array(
    fc.record({
      model: models,
      link: fc.integer({ min: 1, max: 3 }),
      minutes: fc.integer({ min: 0, max: 130 }),
      browser: fc.constantFrom('a', 'b'),
    }),
    { maxLength: 6 },
  );
  // Nobody at this address has the model that is told.
  const lie = hashOf('a model of nobody').slice(0, 11);
  fc.assert(
    fc.property(taps, fc.constantFrom<'android' | null>('android', null), (made, platform) => {
      const rows = () =>
        made.map(({ model, link, minutes, browser }, n) =>
          onPixel({
            id: id(0x100 + n),
            linkId: id(link),
            model,
            tappedAt: minutesAgo(minutes),
            userAgent: hashOf(browser),
          }),
        );
      const lying = decide(pixel({ platform, model: lie }), rows(), aSighting({ device: aDevice() }));
      const silent = decide(pixel({ platform, model: null }), rows(), aSighting({ device: aDevice() }));
      const links = new Set(silent.matches.map(({ linkId }) => linkId));
      for (const { linkId } of lying.matches) expect(links).toContain(linkId);
    }),
  );
});
