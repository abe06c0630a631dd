import { expect, it } from 'vitest';
import { browserOf } from './browser.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';

it.each([
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1_2 like Mac OS X) ${WEBKIT} Version/18.1 Mobile/15E148 Safari/604.1`,
    ['Safari', 'iOS', '18.1'],
  ],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`, ['Chrome', 'Android', '14']],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT} Version/18.6 Mobile/15E148 Safari/604.1`,
    ['Safari', 'iOS', '18.6'],
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) ${WEBKIT} CriOS/141.0 Mobile/15E148`,
    ['Chrome', 'iOS', '26.1'],
  ],
  // Safari 26 and later, and the browsers inside apps, say 18.6 or 18.7 whatever the version is.
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT} Version/26.0 Mobile/15E148 Safari/604.1`,
    ['Safari', 'iOS', null],
  ],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${WEBKIT} Mobile/23B85`, ['Safari', 'iOS', null]],
  // These versions are the same for everybody.
  [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, ['Chrome', 'Android', null]],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, ['Chrome', 'Windows', null]],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.1 Safari/605.1.15`, ['Safari', 'macOS', null]],
  ['Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', ['Firefox', 'Android', '14']],
  ['', [null, null, null]],
  // Names that anybody can make up are no browsers.
  ['my-secret-token/1.0', [null, null, null]],
])('%s', (userAgent, [browser, os, osVersion]) => {
  expect(browserOf(userAgent, 'unknown')).toEqual({ browser, os, osVersion });
});

it('a Macintosh that was found to be an iPad has iOS', () => {
  const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.1 Safari/605.1.15`;
  expect(browserOf(mac, 'ios')).toEqual({ browser: 'Safari', os: 'iOS', osVersion: null });
});
