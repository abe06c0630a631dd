import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppSettings, AppSettingsChange } from './account/index.ts';
import { LABEL_LENGTH, labelsOf } from './client.ts';
import { LinkCreated } from './link/index.ts';

describe('labels', () => {
  it('are the named values that are text, numbers or booleans', () => {
    const metadata = { inviter: 'ada', seats: 4, gift: false, none: null, list: [1], nested: { a: 1 }, secret: 'x' };
    const keys = ['inviter', 'seats', 'gift', 'none', 'list', 'nested', 'missing', 'constructor', '__proto__'];
    expect(labelsOf(metadata, keys)).toEqual({ inviter: 'ada', seats: '4', gift: 'false' });
    expect(labelsOf(metadata, [])).toEqual({});
  });

  it('are cut, and left out where nothing is left', () => {
    const long = 'x'.repeat(LABEL_LENGTH - 1);
    expect(labelsOf({ a: `${long}😀`, b: '', c: '\0' }, ['a', 'b', 'c'])).toEqual({ a: long });
  });

  it('always fit their event, whatever the metadata holds', () => {
    const link = { linkId: crypto.randomUUID(), appId: crypto.randomUUID(), slug: 's', destination: '/', version: 1 };
    const keys = ['a', 'b', '__proto__'];
    const values = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 300 }), fc.constant('a\0b\ud800'));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), values), (metadata) => {
        expect(() => LinkCreated.data.parse({ ...link, labels: labelsOf(metadata, keys) })).not.toThrow();
      }),
    );
  });
});

describe('the settings of an app', () => {
  it.each(['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
    'take the time zone %s',
    (timeZone) => expect(AppSettings.parse({ timeZone }).timeZone).toBe(timeZone),
  );

  it.each(['', 'Berlin', '+05:30', 'Europe/', 'Europe/Nowhere', "UTC'; select 1", 7, null])(
    'take no time zone that is none: %j',
    (timeZone) => expect(AppSettings.safeParse({ timeZone }).success).toBe(false),
  );

  const taken = (timeZone: string) => AppSettingsChange.safeParse({ timeZone }).success;

  it('take every zone of the IANA database', () => {
    const links = ['Asia/Kolkata', 'Europe/Kyiv', 'US/Pacific', 'GB', 'EST5EDT', 'Etc/GMT+5', 'UTC', 'Zulu', 'W-SU'];
    expect([...Intl.supportedValuesOf('timeZone'), ...links].filter((name) => !taken(name))).toEqual([]);
  });

  it('take no alias that only Intl knows', () => {
    const aliases =
      'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST';
    expect(aliases.split(' ').filter(taken)).toEqual([]);
    const iana = ['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'UTC', 'WET'];
    expect(iana.filter(taken)).toEqual(iana);
    for (const name of ['ist', 'SystemV/EST5EDT', 'systemv/ast4', 'US/Pacific-New', 'Canada/East-Saskatchewan'])
      expect([name, taken(name)]).toEqual([name, false]);
    // An app that has one keeps working.
    expect(AppSettings.parse({ timeZone: 'IST' }).timeZone).toBe('IST');
  });

  it.each([[['a b']], [['']], [['a', 'a']], [['x'.repeat(51)]], [Array.from({ length: 11 }, (_, n) => `k${n}`)]])(
    'take no label keys that are none: %j',
    (labels) => expect(AppSettings.safeParse({ labels }).success).toBe(false),
  );
});
