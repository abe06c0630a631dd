// `/try` against real taps: for every device, link and app, the explanation is what a tap gets.
import { devices } from '@landfall/gateway/devices';
import { freshIp, type System, type TestApp } from '@landfall/testkit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { casesOf, expectError, patch, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile({ RATE_LIMITS: 'manage=100000' });

const STORES = {
  ios: { storeId: '1234567890', teamId: 'ABCDE12345', bundleId: 'com.example.shop' },
  android: { package: 'com.example.shop', certificates: [Array(32).fill('AB').join(':')] },
};
const WEB = { webFallbackUrl: 'https://shop.example/app?lang=en' };
const MORE = { huaweiStoreUrl: 'https://appgallery.huawei.com/app/C1', amazonStoreUrl: 'https://www.amazon.com/dp/B1' };

const settings = {
  'stores and web': { ...STORES, ...WEB },
  'stores alone': STORES,
  'four stores': { ...STORES, android: { ...STORES.android, ...MORE } },
  'web alone': WEB,
  nothing: { ios: { bundleId: 'com.example.shop' } },
};
const states = ['live', 'expiring', 'expired', 'archived'] as const;

interface Case {
  app: TestApp;
  urls: Record<(typeof states)[number], string>;
}
const cases: Record<string, Case> = {};

async function make(its: Parameters<System['makeApp']>[0]): Promise<Case> {
  const app = await system.makeApp(its);
  const metadata = { utm_source: 'poster', utm_campaign: 'x'.repeat(300), og_title: '“A” <b>' };
  const urls = {} as Case['urls'];
  for (const state of states) {
    const link = await system.makeLink(app, '/product/1?x=2', metadata);
    urls[state] = link.url;
    const at = (ms: number) => new Date(system.clock() + ms).toISOString();
    if (state === 'expiring') await calls.edit(link.id, { expiresAt: at(3_600_000) });
    if (state === 'expired') await calls.edit(link.id, { expiresAt: at(-1_000) });
    if (state === 'archived') await calls.edit(link.id, { archived: true });
  }
  return { app, urls };
}

beforeAll(async () => {
  for (const [name, its] of Object.entries(settings)) cases[name] = await make(its);
  cases['archived app'] = await make(settings['stores and web']);
  await calls.change(patch(`/api/manage/apps/${cases['archived app'].app.app.id}`, { archived: true }));
});

const explained = (link: string, device: string, more: Record<string, string> = {}, path = '') =>
  system.manage({ path: `/api/manage/explain${path}?${new URLSearchParams({ link, device, ...more })}` });

/** A tap has a token of its own, which the explanation must not have. */
const withoutToken = (url: string | undefined) => url?.replace(/(lf_click%3D)[\w.~%-]+?(?=%26|&|$)/, '$1…');
/** Headers that every answer has anew, and those of the connection. */
const OWN = ['x-request-id', 'date', 'connection', 'keep-alive', 'content-length'];

const lower = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), name.toLowerCase() === 'location' ? withoutToken(value) : value])
      .filter(([name]) => !OWN.includes(name!)),
  );

async function compare(url: string, device: (typeof devices)[number]): Promise<string> {
  const { json } = await explained(url, device.id);
  const tap = await system.tap(url, {
    ip: freshIp(),
    userAgent: device.userAgent,
    headers: { ...device.headers },
  });
  expect(json.answer.status, json.rule).toBe(tap.status);
  expect(withoutToken(json.answer.url ?? undefined)).toBe(withoutToken(tap.headers.location));
  expect(lower(json.answer.headers)).toEqual(lower(tap.headers));
  expect(json.answer.page !== null).toBe(tap.text !== '');
  if (tap.text !== '') {
    const page = await explained(url, device.id, {}, '/page');
    // The frame of an explanation runs no script.
    expect(withoutToken(page.text)).toBe(withoutToken(tap.text.replace(/<script>.*?<\/script>/s, '')));
  }
  return json.rule;
}

describe('the explanation of a tap', () => {
  it('is what the tap gets: every device, with and without stores', async () => {
    const rules = new Set<string>();
    for (const device of devices) {
      const rule = await compare(cases['stores and web']!.urls.live, device);
      // Without stores, one device of each kind: the test below has all of them.
      if (!rules.has(rule)) rules.add(await compare(cases.nothing!.urls.live, device));
      rules.add(rule);
    }
    expect([...rules].sort()).toEqual(
      [
        'bot',
        'desktop-page',
        'desktop-to-web',
        'in-app-page',
        'phone-page',
        'phone-to-store',
        'prefetch',
        'touch-check',
        'unknown-device',
      ].sort(),
    );
  });

  it('is what the tap gets: any device, link, app and query', async () => {
    const query = fc.constantFrom(
      '',
      '?qr',
      '?utm_source=a%20b',
      '?lf_touch=1',
      '?lf_touch=0&x=1',
      `?x=${'y'.repeat(300)}`,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...devices),
        fc.constantFrom(...Object.keys(settings), 'archived app'),
        fc.constantFrom(...states),
        query,
        fc.boolean(),
        async (device, name, state, search, onOpenHost) => {
          const url = `${cases[name]!.urls[state]}${search}`;
          await compare(onOpenHost ? url.replace('//', '//open-') : url, device);
        },
      ),
      { numRuns: casesOf(150, 30) },
    );
  });

  it('says each step, and names the link by its id, too', async () => {
    const { app, urls } = cases['stores and web']!;
    const byUrl = (await explained(`${urls.live}?utm_source=x`, 'ios-instagram')).json;
    expect(byUrl).toMatchObject({
      rule: 'in-app-page',
      opensApp: false,
      visitor: { kind: 'person', platform: 'ios', inApp: 'Instagram' },
      answer: { status: 200, page: 'in-app', url: null, counted: true, deferred: true, target: 'page' },
    });
    expect(byUrl.steps.map(({ step }: { step: string }) => step)).toEqual([
      ...['host', 'link', 'visitor', 'app', 'rule', 'answer', 'record', 'install'],
    ]);
    expect(byUrl.steps[0].detail).toContain(app.app.name);
    const byId = await system.manage({
      path: `/api/manage/links/${byUrl.link.id}/explain?device=ios-instagram&query=utm_source%3Dx`,
    });
    expect(byId.json).toEqual(byUrl);
  });

  it('records nothing and gives nothing away that a restore accepts', async () => {
    const { app, urls } = cases['stores alone']!;
    const { answer } = (await explained(urls.live, 'android-chrome')).json;
    const installReferrer = new URL(answer.url).searchParams.get('referrer');
    expect(installReferrer).toContain('lf_click=xxxx');
    const restored = await calls.restore(app, { installReferrer, deviceFingerprint: 'x' }, { ip: freshIp() });
    expect(restored.json.count ?? 0).toBe(0);
  });

  it('takes a user agent of its own', async () => {
    const { json } = await explained(cases.nothing!.urls.live, 'iphone-safari', { userAgent: 'Twitterbot/1.0' });
    expect(json).toMatchObject({ rule: 'bot', device: { userAgent: 'Twitterbot/1.0' } });
  });

  it.each([
    ['device', 'nokia'],
    ['installed', 'perhaps'],
    ['link', 'javascript:alert(1)'],
    ['userAgent', 'x'.repeat(1_025)],
  ])('refuses a wrong %s', async (name, value) => {
    const answer = await explained(cases.nothing!.urls.live, 'iphone-safari', { [name]: value });
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe(name);
  });
});

describe('the page of an explanation', () => {
  it('is in a sandbox, and only pages of ours may frame it', async () => {
    const page = await explained(cases.nothing!.urls.live, 'iphone-safari', {}, '/page');
    expect(page.headers['content-security-policy']).toMatch(/frame-ancestors 'self'; sandbox$/);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  });
  it('is missing for a redirect', async () => {
    expectError(await explained(cases['stores alone']!.urls.live, 'iphone-safari', {}, '/page'), 404, 'NOT_FOUND');
  });
});

describe('the preview of a link that is not made yet', () => {
  it.each<Record<string, string>>([
    {},
    { og_title: ' “A” <b>&amp; ', og_description: 'x\ny', og_image: 'https://shop.example/a.png?x=1&y=2' },
    { title: 'T', description: 'D', image: 'https://shop.example/b.png', og_title: ' ' },
    { og_image: 'javascript:alert(1)', og_title: 'x'.repeat(300) },
  ])('is what a messenger gets for it: %j', async (metadata) => {
    const { app } = cases['stores alone']!;
    await calls.change(
      patch(`/api/manage/apps/${app.app.id}`, { social: { title: 'Ours', description: 'All of it', imageUrl: null } }),
    );
    const { url } = await system.makeLink(app, '/x', metadata);
    const tags = new Map(
      [
        ...(await system.tap(url, { userAgent: 'Twitterbot/1.0' })).text.matchAll(
          /property="og:(\w+)" content="([^"]*)"/g,
        ),
      ].map(([, name, text]) => [name, decoded(text!)]),
    );
    const path = `/api/manage/apps/${app.app.id}/links/preview?${new URLSearchParams(metadata)}`;
    expect((await system.manage({ path })).json).toMatchObject({
      siteName: tags.get('site_name'),
      title: tags.get('title'),
      description: tags.get('description'),
      imageUrl: tags.get('image') ?? null,
    });
  });

  const decoded = (text: string) => text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
  const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
});

describe('who may see an explanation', () => {
  const stranger = (link: string) =>
    system.send({ path: `/api/manage/explain?${new URLSearchParams({ link })}`, ip: freshIp() });

  it('members, and everyone where the app allows it', async () => {
    const { app, urls } = cases['four stores']!;
    expectError(await stranger(urls.live), 401, 'NOT_SIGNED_IN');
    expectError(await stranger(`${urls.live}x`), 401, 'NOT_SIGNED_IN');
    expectError(await explained(`${urls.live}x`, 'iphone-safari'), 404, 'LINK_NOT_FOUND');
    const open = (publicTry: boolean) => calls.change(patch(`/api/manage/apps/${app.app.id}`, { publicTry }));
    await open(true);
    expect((await stranger(urls.live)).json).toMatchObject({ success: true, rule: 'phone-to-store' });
    await open(false);
    expectError(await stranger(urls.live), 401, 'NOT_SIGNED_IN');
  });

  it('a link with d=1 asks, and a stranger goes on as with any tap', async () => {
    const { url } = await system.makeLink(cases['stores alone']!.app);
    const asked = await calls.tap(`${url}?d=1&x=2`, { ip: freshIp() });
    expect(asked.status).toBe(302);
    const to = new URL(asked.headers.location!);
    expect(to.pathname + to.search).toBe(`/api/manage/explain/open?${new URLSearchParams({ link: `${url}?d=1&x=2` })}`);
    const back = await system.send({ path: to.pathname + to.search, ip: freshIp() });
    expect({ status: back.status, location: back.headers.location }).toEqual({
      status: 302,
      location: `${url}?d=1&x=2&lf_d=0`,
    });
    const tapped = await calls.tap(back.headers.location!, { ip: freshIp() });
    expect(tapped.headers.location).toMatch(/^https:\/\/play\.google\.com/);
  });

  it('bots and pages that load the link are never asked', async () => {
    const { urls } = cases['stores alone']!;
    const bot = await system.tap(`${urls.live}?d=1`, { userAgent: 'Twitterbot/1.0' });
    expect(bot.status).toBe(200);
    const image = await system.tap(`${urls.live}?d=1`, {
      headers: { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
    });
    expect(image.headers.location).toMatch(/^https:\/\/play\.google\.com/);
  });
});

describe('an app that is installed', () => {
  it.each([
    // This installation has http.
    ['iphone-safari', /phones open apps only from https links/],
    ['android-chrome', /phones open apps only from https links/],
    ['ios-instagram', /inside another app/],
    ['windows-chrome', /No app of yours can be on this device/],
  ])('%s', async (device, why) => {
    const { json } = await explained(cases['stores and web']!.urls.live, device, { installed: 'true' });
    expect(json.opensApp).toBe(false);
    expect(json.steps[3]).toMatchObject({ step: 'app', detail: expect.stringMatching(why) });
  });
});
