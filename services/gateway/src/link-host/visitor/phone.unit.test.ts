import { expect, it } from 'vitest';
import { phoneFactsOf } from './phone.ts';

const ANDROID = { platform: 'android' } as const;
const chrome = (inside: string) =>
  `Mozilla/5.0 (${inside}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36`;

it.each([
  [chrome('Linux; Android 14; Pixel 8 Build/AP2A.240905.003; wv'), 'Pixel 8'],
  [chrome('Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv'), 'SM-S918B'],
  [chrome('Linux; U; Android 9; zh-cn; Redmi Note 8 Pro Build/PKQ1'), 'Redmi Note 8 Pro'],
  [chrome('Linux; Android 9; de-de; moto g(7) power Build/PCOS29'), 'moto g(7) power'],
  [chrome('Linux; Android 13; CPH2449'), 'CPH2449'],
  [chrome('Linux; Android 14; SAMSUNG SM-S918B'), 'SAMSUNG SM-S918B'],
  [chrome('Linux; Android 10; K'), null],
  [chrome('Linux; Android 12; SAMSUNG'), null],
  [chrome('Linux; Android 12; unknown Build/SP1A'), null],
  [chrome('Linux; Android 12; unspecified device'), null],
  ['Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', null],
  ['Mozilla/5.0 (Android 14; Tablet; rv:143.0) Gecko/143.0 Firefox/143.0', null],
  ['', null],
])('%s', (userAgent, model) => {
  expect(phoneFactsOf({ 'user-agent': userAgent }, ANDROID).model).toBe(model);
});

it('client hints name the model and the version', () => {
  const hints = { 'user-agent': chrome('Linux; Android 10; K'), 'sec-ch-ua-model': '"Pixel 8"' };
  expect(phoneFactsOf({ ...hints, 'sec-ch-ua-platform-version': '"14.0.0"' }, ANDROID)).toEqual({
    model: 'Pixel 8',
    osVersion: '14.0',
  });
  expect(phoneFactsOf({ ...hints, 'sec-ch-ua-model': '""' }, ANDROID)).toEqual({ model: null, osVersion: null });
  expect(phoneFactsOf({ ...hints, 'sec-ch-ua-model': '"a \\"b\\""' }, ANDROID).model).toBe('a "b"');
  for (const wrong of ['Pixel', '"\n"', `"${'x'.repeat(200)}`]) {
    expect(phoneFactsOf({ ...hints, 'sec-ch-ua-model': wrong }, ANDROID).model).toBeNull();
  }
});

it('nothing is read of an iPhone', () => {
  expect(phoneFactsOf({ 'sec-ch-ua-model': '"iPhone"' }, { platform: 'ios' })).toEqual({
    model: null,
    osVersion: null,
  });
});
