import { aLink, anApp } from '@landfall/contracts/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLive } from '../links/link.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { answerTap, type TapInput } from './answer-tap.ts';
import { HOSTS, LINK_URL, NOW, OPEN_URL, visitors } from './samples.testing.ts';

function tap(visitor: Visitor, change: Partial<TapInput> = {}) {
  const input = {
    app: anApp(),
    link: aLink(),
    now: NOW,
    linkUrl: LINK_URL,
    openUrl: OPEN_URL,
    hosts: HOSTS,
    tappedQuery: '',
    playToken: 'T',
    clipToken: null,
  };
  return answerTap({ ...input, visitor, ...change });
}

const APP_STORE = 'https://apps.apple.com/app/id1234567890';
const PLAY = 'https://play.google.com/store/apps/details?id=com.example.shop&referrer=lf_click%3DT';
const PLAY_BARE = 'https://play.google.com/store/apps/details?id=com.example.shop';
const WEB = 'https://shop.example/app/product/1?x=2';
const GALLERY = 'https://appgallery.huawei.com/app/C1';
const AMAZON = 'https://www.amazon.com/dp/B1';

const noStore = anApp({ ios: { storeId: null }, android: { package: null } });
const noWeb = anApp({ webFallbackUrl: null });
const nothing = anApp({ webFallbackUrl: null, ios: { storeId: null }, android: { package: null } });
const everywhere = anApp({ android: { huaweiStoreUrl: GALLERY, amazonStoreUrl: AMAZON } });

const deferred = { click: true, deferred: true };
const counted = { click: true, deferred: false };
const unseen = { click: false, deferred: false, target: null };

describe('a tap that is redirected', () => {
  it.each([
    ['iphone', 'with a store', anApp(), APP_STORE, deferred],
    ['iphone', 'without', noStore, WEB, deferred],
    ['android', 'with a store', anApp(), PLAY, deferred],
    ['huawei', 'with a page of its own', everywhere, GALLERY, deferred],
    ['amazon', 'with a page of its own', everywhere, AMAZON, deferred],
    ['desktop', 'with a store', anApp(), WEB, counted],
    ['macintosh', 'without an App Store page, so that touch decides nothing', noStore, WEB, counted],
  ] as const)('%s, %s', (who, _, app, location, told) => {
    const target = location === WEB ? 'web' : 'store';
    const rule = `${told.deferred ? 'phone' : 'desktop'}-to-${target}`;
    expect(tap(visitors[who], { app })).toMatchObject({ rule, status: 302, location, target, ...told });
  });
});

describe('a tap that gets a page', () => {
  const apple = { store: 'apple', url: APP_STORE };
  const play = { store: 'play', url: PLAY };
  const RULES: Partial<Record<keyof typeof visitors, string>> = {
    ...{ iphoneInApp: 'in-app-page', androidInApp: 'in-app-page', desktop: 'desktop-page', macintosh: 'touch-check' },
    ...{ television: 'unknown-device', unknown: 'unknown-device', bot: 'bot' },
  };
  it.each([
    ['iphone', 'without store and web', nothing, { kind: 'choose', stores: [], webUrl: null }, deferred],
    [
      'iphoneInApp',
      'with a store',
      anApp(),
      { kind: 'in-app', inApp: 'Instagram', platform: 'ios', stores: [apple], webUrl: WEB },
      deferred,
    ],
    ['iphoneInApp', 'without', noStore, { kind: 'in-app', stores: [], webUrl: WEB }, deferred],
    [
      'androidInApp',
      'with a store',
      anApp(),
      { kind: 'in-app', inApp: null, platform: 'android', stores: [play], webUrl: WEB },
      deferred,
    ],
    ['huawei', 'without a page of its own', anApp(), { kind: 'choose', stores: [play], webUrl: WEB }, deferred],
    ['amazon', 'without a page of its own', anApp(), { kind: 'choose', stores: [play], webUrl: WEB }, deferred],
    [
      'headset',
      'with stores',
      everywhere,
      { kind: 'choose', stores: [play, { store: 'huawei' }, { store: 'amazon' }] },
      deferred,
    ],
    ['desktop', 'without web', noWeb, { kind: 'desktop', linkUrl: LINK_URL, stores: [apple, play] }, counted],
    [
      'macintosh',
      'with an App Store page',
      anApp(),
      { kind: 'ask-touch', touchUrl: `${LINK_URL}?lf_touch=1`, otherUrl: `${LINK_URL}?lf_touch=0` },
      unseen,
    ],
    ['television', 'with stores', anApp(), { kind: 'choose', stores: [apple, play], webUrl: WEB }, counted],
    [
      'unknown',
      'with stores',
      everywhere,
      {
        kind: 'choose',
        openUrl: OPEN_URL,
        stores: [apple, play, { store: 'huawei', url: GALLERY }, { store: 'amazon', url: AMAZON }],
      },
      unseen,
    ],
    ['unknown', 'without', nothing, { kind: 'choose', stores: [], webUrl: null }, unseen],
    [
      'bot',
      'with stores',
      anApp(),
      { kind: 'preview', stores: [apple, { store: 'play', url: PLAY_BARE }], webUrl: WEB },
      unseen,
    ],
  ] as const)('%s, %s', (who, _, app, page, told) => {
    const target = told.click ? 'page' : null;
    const rule = RULES[who] ?? 'phone-page';
    expect(tap(visitors[who], { app })).toMatchObject({ rule, status: 200, page, ...told, target });
  });

  it('opens the other host of the app, with the query of the tap', () => {
    const { page } = tap(visitors.iphoneInApp, { tappedQuery: '?ref=a b&lf_touch=1' });
    expect(page).toMatchObject({ openUrl: `${OPEN_URL}?ref=a%20b` });
  });

  it.each([
    ['qr&ref=1', 'ref=1&lf_via=qr'],
    ['lf_via=banner', 'lf_via=banner'],
    ['?a=1&lf_touch=x', 'a=1'],
    ['a=1&lf_out=ios-safari', 'a=1', '&lf_out=ios-safari'],
  ])('asks a Macintosh for touch and still knows how the person came: %s', (tappedQuery, query, out = '') => {
    const [touchUrl, otherUrl] = ['1', '0'].map((touch) => `${LINK_URL}?${query}&lf_touch=${touch}${out}`);
    expect(tap(visitors.macintosh, { tappedQuery }).page).toMatchObject({ kind: 'ask-touch', touchUrl, otherUrl });
  });

  it("offers Safari's banner where the app is in the App Store", () => {
    const banner = { appId: '1234567890', argument: `${LINK_URL}?ref=1`, appClipBundleId: null };
    expect(tap(visitors.unknown, { tappedQuery: 'ref=1' }).page).toMatchObject({ banner });
    expect(tap(visitors.unknown, { app: nothing }).page).toMatchObject({ banner: null });
  });

  it('shows a page with the card of the App Clip in Safari, and the App Store beside it', () => {
    const app = anApp({ ios: { appClipBundleId: 'com.example.shop.Clip' } });
    const page = { kind: 'choose', banner: { appClipBundleId: 'com.example.shop.Clip' }, stores: [apple] };
    expect(tap(visitors.iphone, { app })).toMatchObject({ rule: 'phone-clip', page, ...deferred });
    expect(tap(visitors.android, { app })).toMatchObject({ status: 302, location: PLAY });
  });

  it.each([
    ['iphoneInApp', { url: expect.stringContaining('instagram://'), mayFail: true }],
    ['androidInApp', null],
  ] as const)('has the way out of the app: %s', (who, exit) => {
    const { page } = tap(visitors[who]);
    expect(page?.kind === 'in-app' && page.exit).toEqual(
      exit && { ...exit, reportPath: expect.stringContaining('?lf_exit=') },
    );
  });

  it('does not send a person from an app to the App Store at once, because the app may be installed', () => {
    const tappedQuery = '?a=1&lf_out=ios-safari';
    const page = { kind: 'choose', openUrl: `${OPEN_URL}?a=1`, stores: [apple] };
    expect(tap(visitors.iphone, { tappedQuery })).toMatchObject({ rule: 'phone-after-exit', page, ...deferred });
    expect(tap(visitors.android, { tappedQuery })).toMatchObject({ status: 302, location: PLAY });
    expect(tap(visitors.iphone, { tappedQuery: 'lf_out=made-up' })).toMatchObject({ status: 302, location: APP_STORE });
  });

  it('drops a query that no link has', () => {
    expect(tap(visitors.iphoneInApp, { tappedQuery: 'a'.repeat(5_000) }).page).toMatchObject({ openUrl: OPEN_URL });
  });
});

describe('the social preview', () => {
  const social = (metadata: Record<string, unknown>) => {
    const { page } = tap(visitors.bot, { link: aLink({ metadata }) });
    return page?.kind === 'preview' ? page.social : undefined;
  };
  it('has the texts of the creator', () => {
    expect(social({ title: 'no', og_title: 'T', description: 'D', image: 'https://a.example/i.png' })).toEqual({
      title: 'T',
      description: 'D',
      imageUrl: 'https://a.example/i.png',
      url: LINK_URL,
    });
  });
  it('has the texts of the app when the link has none', () => {
    const settings = { title: 'Our shop', description: 'All of it', imageUrl: 'https://a.example/app.png' };
    const of = (change: object) => {
      const { page } = tap(visitors.bot, { app: { ...anApp(), ...change }, link: aLink({ metadata: {} }) });
      return page?.kind === 'preview' ? page.social : undefined;
    };
    expect(of({ social: settings })).toEqual({ ...settings, url: LINK_URL });
    const branding = { color: null, sentence: 'A shop', logo: null };
    expect(of({ branding })).toMatchObject({ title: 'Shop', description: 'A shop' });
  });
  it("has the app's name when there is no text", () => {
    const none = { title: 'Shop', description: null, imageUrl: null };
    expect(social({ og_title: 7, title: '  ', description: { a: 1 } })).toMatchObject(none);
  });
  it('is bounded', () => {
    expect(social({ og_title: `x${'\u{1f600}'.repeat(500)}` })?.title.isWellFormed()).toBe(true);
    expect(social({ og_title: 'x'.repeat(5_000) })?.title.length).toBe(200);
  });
});

describe('a tap that nobody made or that leads nowhere', () => {
  const past = '2026-11-21T15:04:05.000Z';
  const future = '2026-11-21T15:04:05.001Z';

  it('asks a prefetching browser to come again with its person', () => {
    expect(tap(visitors.prefetch)).toEqual({ rule: 'prefetch', status: 503, retryAfter: 3600, ...unseen });
  });

  it.each([
    ['app-archived', { app: { ...anApp(), archivedAt: past } }],
    ['link-expired', { link: aLink({ expiresAt: past }) }],
    ['link-archived', { link: aLink({ archivedAt: past, expiresAt: past }) }],
  ] as const)('shows every visitor that it has ended: %s', (rule, change) => {
    const page = { kind: 'gone', app: 'app' in change ? change.app : anApp() };
    for (const visitor of Object.values(visitors))
      expect(tap(visitor, change)).toEqual({ rule, status: 410, page, ...unseen });
  });

  it('goes to the page that the link has for the time after its end, and does not count', () => {
    const expiredUrl = 'https://shop.example/over';
    const location = { rule: 'link-expired', status: 302, location: expiredUrl, ...unseen };
    for (const visitor of Object.values(visitors))
      expect(tap(visitor, { link: aLink({ expiresAt: past, expiredUrl }) })).toEqual(location);
    for (const change of [{ expiredUrl: LINK_URL }, { expiredUrl, archivedAt: past }])
      expect(tap(visitors.iphone, { link: aLink({ expiresAt: past, ...change }) })).toMatchObject({ status: 410 });
    expect(tap(visitors.desktop, { link: aLink({ expiresAt: future, expiredUrl }) }).location).not.toBe(expiredUrl);
  });

  it('works until the moment of its expiry', () => {
    expect(isLive(aLink(), NOW)).toBe(true);
    expect(isLive(aLink({ expiresAt: future }), NOW)).toBe(true);
    expect(isLive(aLink({ expiresAt: past }), NOW)).toBe(false);
    expect(isLive(aLink({ archivedAt: future }), NOW)).toBe(false);
  });
});

it('is total: every visitor of every app gets one suitable answer', () => {
  const visitor = fc.constantFrom(...Object.values<Visitor>(visitors));
  const app = fc.constantFrom(anApp(), noStore, noWeb, nothing, everywhere);
  fc.assert(
    fc.property(visitor, app, fc.string({ unit: 'binary' }), fc.jsonValue(), (who, its, tappedQuery, value) => {
      const link = aLink({ metadata: { og_title: value, utm_source: value } });
      const answer = tap(who, { app: its, tappedQuery, link });
      expect(answer.location === undefined).toBe(answer.status !== 302);
      expect(answer.page === undefined).toBe(answer.status === 302 || answer.status === 503);
      if (answer.deferred) expect([who.kind, answer.click]).toEqual(['person', true]);
      if (who.store === 'huawei' || who.store === 'amazon')
        expect(answer.location ?? '').not.toContain('play.google.com');
    }),
  );
});

describe('an app that reads links from the clipboard', () => {
  const clipToken = 'C';
  const copied = `${LINK_URL}?lf_clip=C`;

  it('gets a page before the App Store on iPhones, with the link to copy', () => {
    const answer = tap(visitors.iphone, { clipToken });
    expect(answer).toMatchObject({ rule: 'phone-copies', status: 200, ...deferred });
    expect(answer.page).toMatchObject({ kind: 'choose', copied, stores: [{ store: 'apple', url: APP_STORE }] });
  });

  it('copies nothing on Android, and goes to the store at once', () => {
    expect(tap(visitors.android, { clipToken })).toMatchObject({ status: 302, rule: 'phone-to-store' });
  });
});
