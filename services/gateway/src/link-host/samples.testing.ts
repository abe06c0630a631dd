// An app, a link and functions to vary them, for the tests of this folder.
import { App, Link } from '@landfall/contracts';
import type { Visitor } from '../visitor/visitor.ts';

export const LINK_URL = 'https://shop.go.example/1763737445000-abcdefghijkl';
export const OPEN_URL = 'https://open-shop.go.example/1763737445000-abcdefghijkl';
export const HOSTS = [new URL(LINK_URL).host, new URL(OPEN_URL).host];
export const NOW = new Date('2026-11-21T15:04:05.000Z');

type AppChange = { name?: string; webFallbackUrl?: string | null; ios?: object; android?: object };

/** An app in both stores, with a web fallback and nothing else. */
export function anApp({
  name = 'Shop',
  webFallbackUrl = 'https://shop.example/app',
  ios,
  android,
}: AppChange = {}): App {
  return App.parse({
    id: '0b0f8d0e-6f9c-4c6e-9d53-4b8f0d8f4a01',
    name,
    subdomain: 'shop',
    plan: { name: 'free', linksPerMonth: null },
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    webFallbackUrl,
    ios: { storeId: '1234567890', teamId: 'ABCDE12345', bundleId: 'com.example.shop', ...ios },
    android: { package: 'com.example.shop', certificates: ['AB:'.repeat(31).concat('CD')], ...android },
  });
}

export function aLink(change: Partial<Link> = {}): Link {
  return Link.parse({
    id: '0b0f8d0e-6f9c-4c6e-9d53-4b8f0d8f4a02',
    appId: '0b0f8d0e-6f9c-4c6e-9d53-4b8f0d8f4a01',
    slug: '1763737445000-abcdefghijkl',
    destination: '/product/1?x=2',
    metadata: {},
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    archivedAt: null,
    version: 1,
    ...change,
  });
}

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
