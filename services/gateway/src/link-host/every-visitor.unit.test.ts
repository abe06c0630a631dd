// Current user agents of all kinds × apps with and without stores, web page and App Clip: the answer to each.

import { aLink, anApp } from '@landfall/contracts/testing';
import { describe, expect, it } from 'vitest';
import { classifyVisitor, type Visitor } from '../visitor/visitor.ts';
import { examples } from '../visitor/visitor-examples.testing.ts';
import { answerTap } from './answer-tap.ts';
import { renderPage } from './pages/page-contents.ts';
import { HOSTS, LINK_URL, NOW, OPEN_URL } from './samples.testing.ts';

const noWeb = { webFallbackUrl: null };
const noApple = { ios: { storeId: null } };
const noPlay = { android: { package: null } };
const apps = {
  'stores, web': anApp(),
  stores: anApp(noWeb),
  'App Store': anApp({ ...noWeb, ...noPlay }),
  Play: anApp({ ...noWeb, ...noApple }),
  web: anApp({ ...noApple, ...noPlay }),
  nothing: anApp({ ...noWeb, ...noApple, ...noPlay }),
  'all stores': anApp({
    android: {
      huaweiStoreUrl: 'https://appgallery.huawei.com/app/C1',
      amazonStoreUrl: 'https://www.amazon.com/dp/B1',
    },
  }),
  'App Clip': anApp({ ios: { appClipBundleId: 'com.example.shop.Clip' } }),
};
type AppName = keyof typeof apps;

const APPLE = 'apps.apple.com';
const PLAY = 'play.google.com';
const WEB = 'shop.example';
const all = (answer: string) =>
  Object.fromEntries(Object.keys(apps).map((name) => [name, answer])) as Record<AppName, string>;

/** The host of the redirect, or the kind of the page. */
const ANSWERS: Record<string, Record<AppName, string>> = {
  ios: { ...all(APPLE), Play: 'choose', web: WEB, nothing: 'choose', 'App Clip': 'choose' },
  android: { ...all(PLAY), 'App Store': 'choose', web: WEB, nothing: 'choose' },
  huawei: { ...all('choose'), 'all stores': 'appgallery.huawei.com' },
  amazon: { ...all('choose'), 'all stores': 'www.amazon.com' },
  'no store': all('choose'),
  'in-app': all('in-app'),
  desktop: { ...all(WEB), stores: 'desktop', 'App Store': 'desktop', Play: 'desktop', nothing: 'desktop' },
  macintosh: { ...all('ask-touch'), Play: 'desktop', web: WEB, nothing: 'desktop' },
  unknown: all('choose'),
  bot: all('preview'),
};

/** The row of a visitor as the list of examples expects it, and not as the code sees it. */
function rowOf({ kind, platform, inApp, store, maybeTablet }: Partial<Visitor>): string {
  if (kind === 'bot') return 'bot';
  if (kind === 'unknown' || platform === 'unknown') return 'unknown';
  if (platform === 'desktop') return maybeTablet ? 'macintosh' : 'desktop';
  if (inApp) return 'in-app';
  if (platform === 'ios') return 'ios';
  return store === 'play' ? 'android' : (store ?? 'no store');
}

const chosen = examples.flatMap(([title, expected, ...userAgents]) =>
  userAgents.slice(0, 2).map((userAgent) => ({ title, row: rowOf(expected), userAgent })),
);

describe('every visitor of every app', () => {
  it('are sixty and more, of each kind', () => {
    expect(chosen.length).toBeGreaterThanOrEqual(60);
    expect(new Set(chosen.map(({ row }) => row))).toEqual(new Set(Object.keys(ANSWERS)));
  });

  it.each(chosen)('$row, $title: $userAgent', ({ row, userAgent }) => {
    for (const [name, app] of Object.entries(apps)) {
      const answer = answerTap({
        visitor: classifyVisitor({ 'user-agent': userAgent }),
        app,
        link: aLink(),
        hosts: HOSTS,
        now: NOW,
        linkUrl: LINK_URL,
        openUrl: OPEN_URL,
        tappedQuery: '',
        playToken: 'T',
        clipToken: null,
      });
      const got = answer.location === undefined ? answer.page?.kind : new URL(answer.location).host;
      expect({ name, got }).toEqual({ name, got: ANSWERS[row]![name as AppName] });
      if (answer.page) expect(Buffer.byteLength(renderPage(answer.page).body)).toBeLessThan(15 * 1024);
    }
  });
});
