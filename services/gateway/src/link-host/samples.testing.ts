// The addresses of the link of the samples, and visitors.
import type { Visitor } from '../visitor/visitor.ts';

export const LINK_URL = 'https://shop.go.example/1763737445000-abcdefghijkl';
export const OPEN_URL = 'https://open-shop.go.example/1763737445000-abcdefghijkl';
export const HOSTS = [new URL(LINK_URL).host, new URL(OPEN_URL).host];
export const NOW = new Date('2026-11-21T15:04:05.000Z');

const person = { kind: 'person', inApp: null, store: null, maybeTablet: false } as const;

export const visitors = {
  iphone: { ...person, platform: 'ios', store: 'apple' },
  iphoneInApp: { ...person, platform: 'ios', store: 'apple', inApp: 'Instagram' },
  android: { ...person, platform: 'android', store: 'play' },
  androidInApp: { ...person, platform: 'android', store: 'play', inApp: 'WebView' },
  huawei: { ...person, platform: 'android', store: 'huawei' },
  amazon: { ...person, platform: 'android', store: 'amazon' },
  headset: { ...person, platform: 'android' },
  desktop: { ...person, platform: 'desktop' },
  macintosh: { ...person, platform: 'desktop', maybeTablet: true },
  television: { ...person, platform: 'unknown' },
  unknown: { ...person, kind: 'unknown', platform: 'unknown' },
  bot: { ...person, kind: 'bot', platform: 'unknown' },
  prefetch: { ...person, kind: 'prefetch', platform: 'android', store: 'play' },
} as const satisfies Record<string, Visitor>;
