import { expect, it } from 'vitest';
import { platformOf } from './asker.ts';

it.each([
  ['Demo/7 CFNetwork/1494.0.7 Darwin/23.4.0', 'ios'],
  ['CFNetwork/1494.0.7 Darwin/23.4.0', 'ios'],
  ['Demo/7 (iPhone; iOS 17.4; Scale/3.00)', 'ios'],
  ['Demo/7.0 (com.example.demo; build:1; iOS 17.4.0) Alamofire/5.9.1', 'ios'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'ios',
  ],
  ['Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A.230805.001)', 'android'],
  ['okhttp/4.12.0', 'android'],
  ['Demo/7 (Android 13) okhttp/3.14.9', 'android'],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0 Mobile Safari/537.36',
    'android',
  ],
  ['openlynk-flutter-sdk/0.1.0', null],
  ['curl/8.5.0', null],
  ['my-notokhttp', null],
  ['', null],
])('%s runs on %s', (userAgent, platform) => {
  expect(platformOf(userAgent)).toBe(platform);
});
