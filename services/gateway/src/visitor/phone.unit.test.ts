import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { phoneFactsOf } from './phone.ts';

const ANDROID = { platform: 'android' } as const;
const chrome = (inside: string) =>
  `Mozilla/5.0 (${inside}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36`;

it.each([
  [chrome('Linux; Android 14; Pixel 8 Build/AP2A.240905.003; wv'), 'Pixel 8'],
  [chrome('Linux; U; Android 9; zh-cn; Redmi Note 8 Pro Build/PKQ1'), 'Redmi Note 8 Pro'],
  [chrome('Linux; Android 9; de-de; moto g(7) power Build/PCOS29'), 'moto g(7) power'],
  [chrome('Linux; Android 13; CPH2449'), 'CPH2449'],
  [chrome('Linux; Android 14; SAMSUNG SM-S918B'), 'SAMSUNG SM-S918B'],
  [chrome('Linux; Android 10; K'), null],
  [chrome('Linux; Android 12; SAMSUNG'), null],
  [chrome('Linux; Android 12; unknown Build/SP1A'), null],
  ['Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', null],
  ['', null],
])('%s', (userAgent, model) => {
  expect(phoneFactsOf({ 'user-agent': userAgent }, ANDROID).model).toBe(model);
});

it('client hints name the model and the version', () => {
  const hints = { 'user-agent': chrome('Linux; Android 10; K'), 'sec-ch-ua-model': '"Pixel 8"' };
  expect(phoneFactsOf({ ...hints, 'sec-ch-ua-platform-version': '"14.0.0"' }, ANDROID)).toMatchObject({
    model: 'Pixel 8',
    osVersion: '14.0',
  });
  expect(phoneFactsOf({ ...hints, 'sec-ch-ua-model': '""' }, ANDROID)).toMatchObject({ model: null, osVersion: null });
  expect(phoneFactsOf({ ...hints, 'sec-ch-ua-model': '"a \\"b\\""' }, ANDROID).model).toBe('a "b"');
  for (const wrong of ['Pixel', '"\n"', `"${'x'.repeat(200)}`]) {
    expect(phoneFactsOf({ ...hints, 'sec-ch-ua-model': wrong }, ANDROID).model).toBeNull();
  }
});

it('nothing is read of an iPhone', () => {
  expect(phoneFactsOf({ 'sec-ch-ua-model': '"iPhone"' }, { platform: 'ios' })).toEqual({
    model: null,
    osVersion: null,
    fingerprints: null,
  });
});

describe('the fingerprints that the public client may have', () => {
  // SHA-256 of `build_model_maker_version`, and of the same without the version.
  const of = (build: string, model: string, version: string, ...makers: string[]) =>
    makers
      .flatMap((maker) => [`${build}_${model}_${maker}_${version}`, `${build}_${model}_${maker}`])
      .map((text) => createHash('sha256').update(text).digest('hex'));

  it.each<[string, string[] | null]>([
    ['Linux; Android 14; Pixel 8 Build/AP2A.240905.003; wv', of('AP2A.240905.003', 'Pixel 8', '14', 'Google')],
    ['Linux; Android 13; 2201117TG Build/TKQ1.221114.001; wv', of('TKQ1.221114.001', '2201117TG', '13', 'Xiaomi')],
    ['Linux; Android 14; CPH2449 Build/UKQ1.230924; wv', of('UKQ1.230924', 'CPH2449', '14', 'OPPO', 'OnePlus')],
    ['Linux; Android 14; Unheard 7 Build/UP1A; wv', null],
    ['Linux; Android 14; Pixel 8; wv', null],
    ['Linux; Android 10; K', null],
  ])('%s', (inside, fingerprints) => {
    expect(phoneFactsOf({ 'user-agent': chrome(inside) }, ANDROID).fingerprints).toEqual(fingerprints);
  });

  it('are not read of a browser that is no web view', () => {
    const browser = chrome('Linux; Android 14; Pixel 8 Build/AP2A.240905.003').replace('Version/4.0 ', '');
    expect(phoneFactsOf({ 'user-agent': browser }, ANDROID).fingerprints).toBeNull();
  });
});
