// An app and a link, with functions to vary them, for the tests of services.
import { App } from './account/apps.ts';
import { Link } from './link/index.ts';

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
