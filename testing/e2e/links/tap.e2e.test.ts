// The answer to a tap on a link, for each kind of visitor, app and link.
// Over Kafka: taps are published.
import { freshIp, LINK_DOMAIN, type Received, type System } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, inOneProcess, newDevice, patch, systemOfFile } from '../calls.ts';
import * as agents from '../user-agents.ts';

const { system, calls } = await systemOfFile();
const once = inOneProcess();

const IN_STORES = {
  ios: { storeId: '1234567890', teamId: 'ABCDE12345', bundleId: 'com.example.shop' },
  android: { package: 'com.example.shop' },
};
const WEB = { webFallbackUrl: 'https://shop.example/app?lang=en' };
type Settings = Parameters<System['makeApp']>[0];

/** Makes an app with these settings and a link, and taps the link with the user agent from a fresh address. */
async function tapped(userAgent: string, settings: Settings, destination = '/product/1?x=2', metadata = {}) {
  const app = await system.makeApp(settings);
  const link = await system.makeLink(app, destination, metadata);
  const ip = freshIp();
  const answer = await calls.tap(link.url, { ip, userAgent });
  return { app, link, answer, openUrl: link.url.replace('//', '//open-'), ...deferred(app, ip) };
}

/** Tells whether an install at the address gets the tapped link. */
const deferred = (app: Awaited<ReturnType<System['makeApp']>>, ip: string) => ({
  isDeferred: async () => (await calls.restore(app, newDevice().body, { ip })).json.count === 1,
});

/** Returns the targets of the buttons on a page, in order. */
const buttonsOf = ({ text }: Received) =>
  [...text.matchAll(/<a class="button"[^>]* href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));

/** The page without the script of the button out of another app, which only points to the menu after a tap. */
const withoutOwnScript = ({ text }: Received) =>
  text.replace(/<script>document\.getElementById\('exit'\)\.addEventListener\('click'[^<]*<\/script>/, '');

/** Checks the status, and the headers that every answer on a link host has. */
function expectTap(answer: Received, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-robots-tag']).toContain('noindex');
  expect(answer.headers['x-request-id']).toBeTruthy();
  expect(answer.headers['set-cookie']).toBeUndefined();
}

function expectPage(answer: Received, status = 200): void {
  expectTap(answer, status);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(answer.text).toMatch(/^<!doctype html>/);
}

function expectRedirect(answer: Received, location: string | RegExp): void {
  expectTap(answer, 302);
  expect(answer.headers.location).toMatch(location);
}

describe('an iPhone in a browser', () => {
  it('goes to the App Store', async () => {
    const { answer, isDeferred } = await tapped(agents.IPHONE, { ...IN_STORES, ...WEB });
    expectRedirect(answer, /^https:\/\/apps\.apple\.com\/app\/id1234567890$/);
    expect(await isDeferred()).toBe(true);
  });

  once.it('goes to the web without a store, and else to a page', async () => {
    const web = await tapped(agents.IPHONE, WEB);
    expectRedirect(web.answer, /^https:\/\/shop\.example\/app\/product\/1\?lang=en&x=2$/);
    expect(await web.isDeferred()).toBe(true);
    const page = await tapped(agents.IPHONE, { ios: { bundleId: 'com.example.shop' } });
    expectPage(page.answer);
    expect(buttonsOf(page.answer)).toEqual([page.openUrl]);
    expect(await page.isDeferred()).toBe(true);
  });
});

once.describe('an app on an iPhone that opens links inside itself', () => {
  it.each([
    ['Instagram', agents.IPHONE_IN_INSTAGRAM],
    ['LinkedIn', agents.IPHONE_IN_LINKEDIN],
  ])('gets a page with both ways, and no jump: %s', async (name, userAgent) => {
    const { answer, openUrl, isDeferred } = await tapped(userAgent, { ...IN_STORES, ...WEB });
    expectPage(answer);
    expect(buttonsOf(answer).slice(0, 2)).toEqual([openUrl, 'https://apps.apple.com/app/id1234567890']);
    expect(answer.text).toContain(name);
    expect(answer.text).not.toMatch(/http-equiv="?refresh|location/i);
    expect(withoutOwnScript(answer)).not.toContain('<script');
    expect(await isDeferred()).toBe(true);
  });
});

describe('Android in a browser', () => {
  it.each([agents.ANDROID, agents.ANDROID_FIREFOX])(
    'goes to Play over https, with a referrer: %s',
    async (userAgent) => {
      const destination = '/a?utm_source=mail&utm_campaign=a%26b';
      const { answer, isDeferred } = await tapped(userAgent, { ...IN_STORES, ...WEB }, destination, {
        utm_medium: 'push',
      });
      expectRedirect(answer, /^https:\/\/play\.google\.com\/store\/apps\/details\?/);
      const url = new URL(answer.headers.location!);
      expect(url.searchParams.get('id')).toBe('com.example.shop');
      const referrer = new URLSearchParams(url.searchParams.get('referrer')!);
      expect(Object.fromEntries(referrer)).toEqual({
        lf_click: expect.stringMatching(/^[\w-]{40,120}$/),
        utm_source: 'mail',
        utm_medium: 'push',
        utm_campaign: 'a&b',
      });
      expect(await isDeferred()).toBe(true);
    },
  );
});

describe('a computer', () => {
  once.it('goes to the web with the destination', async () => {
    const { answer, isDeferred } = await tapped(agents.DESKTOP, { ...IN_STORES, ...WEB });
    expectRedirect(answer, /^https:\/\/shop\.example\/app\/product\/1\?lang=en&x=2$/);
    expect(await isDeferred()).toBe(false);
  });

  once.it('gets a page without a web fallback', async () => {
    const { answer, link, isDeferred } = await tapped(agents.DESKTOP, IN_STORES);
    expectPage(answer);
    expect(answer.text).toContain(link.url);
    expect(await isDeferred()).toBe(false);
  });

  it('is asked for touch where it may be an iPad, and counts as what it says', async () => {
    const { app, link, answer } = await tapped(agents.MACINTOSH, { ...IN_STORES, ...WEB });
    expectPage(answer);
    const [touch, other] = buttonsOf(answer);
    expect([touch, other].every((url) => url!.startsWith(link.url))).toBe(true);
    const ip = freshIp();
    const from = { ip, userAgent: agents.MACINTOSH };
    expectRedirect(await calls.tap(other!, from), /^https:\/\/shop\.example\//);
    expect(await deferred(app, ip).isDeferred()).toBe(false);
    expectRedirect(await calls.tap(touch!, from), /^https:\/\/apps\.apple\.com\//);
    const [item] = (await calls.restore(app, newDevice().body, { ip })).json.restoredLinks;
    expect(item.originalUrl).toBe(link.url);
  });
});

once.describe('a machine', () => {
  it.each(agents.BOTS.slice(0, 2))('gets a preview, and is no tap: %s', async (userAgent) => {
    const metadata = {
      og_title: 'A "title" & <more>',
      og_description: 'What it is',
      og_image: 'https://shop.example/a.png',
    };
    const { app, answer, isDeferred } = await tapped(userAgent, { ...IN_STORES, ...WEB }, '/a', metadata);
    expectPage(answer);
    expect(answer.text).toContain('<meta property="og:title" content="A &quot;title&quot; &amp; &lt;more&gt;">');
    expect(answer.text).toContain('<meta property="og:description" content="What it is">');
    expect(answer.text).toContain('<meta property="og:image" content="https://shop.example/a.png">');
    expect(answer.text).toContain(app.app.name);
    expect(answer.text).not.toContain('lf_click');
    expect(await isDeferred()).toBe(false);
  });

  it.each(['', agents.TELEVISION])('or person that is unknown gets every button: "%s"', async (userAgent) => {
    const { answer, openUrl, isDeferred } = await tapped(userAgent, { ...IN_STORES, ...WEB });
    expectPage(answer);
    expect(buttonsOf(answer)).toEqual([
      openUrl,
      'https://apps.apple.com/app/id1234567890',
      expect.stringMatching(/^https:\/\/play\.google\.com\//),
      'https://shop.example/app/product/1?lang=en&x=2',
    ]);
    expect(await isDeferred()).toBe(false);
  });
});

once.describe('HEAD', () => {
  it.each([
    ['a redirect', agents.IPHONE, 302],
    ['a page', agents.IPHONE_IN_INSTAGRAM, 200],
    ['a preview', agents.BOTS[0]!, 200],
  ])('has the status and headers of GET, no body, and is no tap: %s', async (_, userAgent, status) => {
    const app = await system.makeApp(IN_STORES);
    const link = await system.makeLink(app);
    const ip = freshIp();
    const head = await calls.tap(link.url, { ip, userAgent, method: 'HEAD' });
    expect(await deferred(app, ip).isDeferred()).toBe(false);
    const get = await calls.tap(link.url, { userAgent });
    expectTap(head, status);
    expect(head.text).toBe('');
    const same = ({ headers }: Received) => {
      const { date: _, 'x-request-id': __, ...rest } = headers;
      return rest;
    };
    expect(same(head)).toEqual(same(get));
  });
});

describe('a link that leads nowhere', () => {
  it('is 410 when it was archived or has expired, whoever asks', async () => {
    const app = await system.makeApp({ ...IN_STORES, ...WEB });
    const [archived, expired] = [await system.makeLink(app), await system.makeLink(app)];
    await calls.edit(archived.id, { archived: true });
    await calls.edit(expired.id, { expiresAt: new Date(system.clock() + 60_000).toISOString() });
    expectTap(await calls.tap(expired.url), 302);
    system.clock.advance({ seconds: 61 });
    for (const { url } of [archived, expired]) {
      const ip = freshIp();
      for (const userAgent of [agents.IPHONE, agents.DESKTOP, agents.BOTS[0]!, ''])
        expectPage(await calls.tap(url, { ip, userAgent }), 410);
      expect(await deferred(app, ip).isDeferred()).toBe(false);
      expect((await calls.tap(url, { method: 'HEAD' })).status).toBe(410);
    }
  });

  once.it('is a 404 page when there is no such slug', async () => {
    const app = await system.makeApp({ ...IN_STORES, ...WEB });
    const { url } = await system.makeLink(app);
    const { origin, pathname } = new URL(url);
    for (const path of [`${pathname}/more`, `${pathname}x`, '/%zz', '/%00', `/${'x'.repeat(3000)}`, '/apis']) {
      const answer = await system.send({ path, headers: { host: new URL(origin).host, 'user-agent': agents.IPHONE } });
      expectPage(answer, 404);
    }
  });

  once.it("is a 404 page when it is another app's", async () => {
    const [app, other] = [await system.makeApp(), await system.makeApp()];
    const { url } = await system.makeLink(app);
    expectPage(await calls.tap(url.replace(app.app.subdomain, other.app.subdomain)), 404);
  });

  once.it.each(['nobody.links.test', 'open-.links.test', `${'x'.repeat(300)}.example`])(
    'is 404 on a host that is nobody’s: %s',
    async (host) => {
      const answer = await system.send({ path: '/1763737445000-abcdefghijkl', headers: { host } });
      expectPage(answer, 404);
    },
  );

  once.it.each(['POST', 'OPTIONS'])('is 405 for %s', async (method) => {
    const app = await system.makeApp();
    const { url } = await system.makeLink(app);
    const answer = await system.tap(url, { method });
    expectTap(answer, 405);
    expect(answer.headers.allow).toBe('GET, HEAD');
  });
});

once.describe('the URL of a tap', () => {
  it('may end with a slash, have any case of host, and be on the open host', async () => {
    const app = await system.makeApp(IN_STORES);
    const { url, slug } = await system.makeLink(app);
    const hosts = [
      new URL(url).host,
      new URL(url).host.toUpperCase(),
      `${new URL(url).host}:80`,
      `open-${new URL(url).host}`,
    ];
    for (const host of hosts) {
      const encoded = slug.replace('-', '%2D');
      const paths = [`/${slug}`, `/${slug}/`, `//${slug}`, `/${slug}?a=1`, `/${slug}/?a=1`];
      for (const path of [...paths, `/${encoded}`, `/${slug.toUpperCase()}`, `/${slug}).`, `/${slug}%E2%80%8B`]) {
        const answer = await system.send({ path, headers: { host, 'user-agent': agents.IPHONE } });
        expectRedirect(answer, /^https:\/\/apps\.apple\.com\//);
      }
    }
  });

  it('keeps its query in originalUrl, and changes nothing of the link', async () => {
    const app = await system.makeApp({ ...IN_STORES, ...WEB });
    const link = await system.makeLink(app, '/a?x=1');
    const ip = freshIp();
    const query = '?x=9&utm_source=tapped&next=%2F%2Fevil.example&y=%zz&%F0%9F%99%82';
    const phone = await calls.tap(link.url + query, { ip });
    expect(new URL(phone.headers.location!).searchParams.get('referrer')).toMatch(
      /^lf_click=[\w-]+&utm_source=tapped$/,
    );
    const desktop = await calls.tap(link.url + query, { userAgent: agents.DESKTOP });
    expect(desktop.headers.location).toBe(
      'https://shop.example/app/a?lang=en&x=1&utm_source=tapped&next=%2F%2Fevil.example&y=%zz&%F0%9F%99%82',
    );
    const [item] = (await calls.restore(app, newDevice().body, { ip })).json.restoredLinks;
    expect(item).toMatchObject({ originalUrl: link.url + query, destination: '/a?x=1', parameters: { x: '1' } });
  });

  it('is kept without a query that is too long, and still counts', async () => {
    const app = await system.makeApp(IN_STORES);
    const link = await system.makeLink(app);
    const ip = freshIp();
    expectTap(await calls.tap(`${link.url}?q=${'x'.repeat(8000)}`, { ip }), 302);
    const [item] = (await calls.restore(app, newDevice().body, { ip })).json.restoredLinks;
    expect(item.originalUrl).toBe(link.url);
  });

  it('on the open host leads back to the link host, because iOS opens no app from the same host', async () => {
    const app = await system.makeApp(IN_STORES);
    const { url } = await system.makeLink(app);
    const openUrl = url.replace('//', '//open-');
    const from = { userAgent: agents.IPHONE_IN_INSTAGRAM };
    expect(buttonsOf(await calls.tap(url, from))[0]).toBe(openUrl);
    expect(buttonsOf(await calls.tap(openUrl, from))[0]).toBe(url);
    expect(buttonsOf(await calls.tap(`${url}?a=1&b=%22`, from))[0]).toBe(`${openUrl}?a=1&b=%22`);
  });

  it('without a slug goes to the web, and else to a 404 page', async () => {
    const [web, none] = [await system.makeApp(WEB), await system.makeApp()];
    const root = (app: typeof web) => system.tap(`http://${app.app.subdomain}.${LINK_DOMAIN}/`);
    expectRedirect(await root(web), 'https://shop.example/app?lang=en');
    expectPage(await root(none), 404);
    const foreign = await system.makeApp({ webFallbackUrl: 'https://shop.example/日本' });
    expectRedirect(await root(foreign), 'https://shop.example/%E6%97%A5%E6%9C%AC');
  });
});

once.it('escapes everything that a page shows', async () => {
  const evil = `</title><script>alert(1)</script>"'&`;
  const app = await system.makeApp({ ...IN_STORES, webFallbackUrl: 'https://shop.example/?a="><script>' });
  await calls.change(patch(`/api/manage/apps/${app.app.id}`, { name: evil }));
  const link = await system.makeLink(app, '/"><script>?"><script>', {
    og_title: evil,
    og_description: evil,
    og_image: 'javascript:alert(1)',
    title: evil,
  });
  for (const userAgent of [agents.IPHONE_IN_INSTAGRAM, agents.BOTS[0]!, '', agents.HUAWEI]) {
    const answer = await calls.tap(
      `${link.url}?"><script>alert(2)</script>`.replaceAll('"', '%22').replaceAll(/[<>]/g, encodeURIComponent),
      { userAgent },
    );
    expectPage(answer);
    expect(withoutOwnScript(answer)).not.toMatch(/<script|javascript:/i);
  }
});

describe('association files', () => {
  const CERTIFICATE = `${'AB:'.repeat(31)}CD`;
  const files = ['/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'];
  const onHosts = async (app: { subdomain: string }, path: string) =>
    Promise.all(
      [app.subdomain, `open-${app.subdomain}`].map((label) =>
        system.send({ path, headers: { host: `${label}.${LINK_DOMAIN}` } }),
      ),
    );

  once.it('say on both hosts which app opens its links', async () => {
    const { app } = await system.makeApp({
      ios: IN_STORES.ios,
      android: { ...IN_STORES.android, certificates: [CERTIFICATE] },
    });
    for (const answer of await onHosts(app, files[0]!)) {
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      const [details, ...rest] = answer.json.applinks.details;
      expect(rest).toEqual([]);
      expect(details.appIDs).toEqual(['ABCDE12345.com.example.shop']);
      expect(details.components.at(-1)).toEqual({ '/': '/*' });
      expect(details.components).toContainEqual({ '/': '/api/*', exclude: true });
    }
    for (const answer of await onHosts(app, files[1]!)) {
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json).toEqual([
        {
          relation: ['delegate_permission/common.handle_all_urls'],
          target: {
            namespace: 'android_app',
            package_name: 'com.example.shop',
            sha256_cert_fingerprints: [CERTIFICATE],
          },
        },
      ]);
    }
  });

  it('are not there until the app is set up, and then at once', async () => {
    const { app } = await system.makeApp();
    for (const path of files) for (const answer of await onHosts(app, path)) expect(answer.status).toBe(404);
    const body = { ios: IN_STORES.ios, android: { package: 'com.example.shop', certificates: [CERTIFICATE] } };
    await calls.change(patch(`/api/manage/apps/${app.id}`, body));
    for (const path of files) for (const answer of await onHosts(app, path)) expect(answer.status).toBe(200);
  });

  once.it('are not there on a host that is nobody’s', async () => {
    for (const path of files)
      for (const host of ['api.test', 'nobody.links.test', 'nobody.example'])
        expect((await system.send({ path, headers: { host } })).status).toBe(404);
  });
});

once.it('lets robots read, for the previews, on every host', async () => {
  const { app } = await system.makeApp();
  for (const host of ['api.test', `${app.subdomain}.${LINK_DOMAIN}`]) {
    const answer = await system.send({ path: '/robots.txt', headers: { host } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.text).toMatch(/^User-agent: \*\nDisallow:\n/);
  }
});

once.it("never takes one of the product's own paths for a slug, and serves the API on no app's host", async () => {
  const { app } = await system.makeApp({ ...IN_STORES, ...WEB });
  const host = `${app.subdomain}.${LINK_DOMAIN}`;
  for (const path of ['/livez', '/readyz']) expect((await system.send({ path, headers: { host } })).status).toBe(200);
  for (const name of [host, `open-${host}`, LINK_DOMAIN, 'go.shop.example', 'api.test.evil.example'])
    for (const path of [
      '/openapi.json',
      '/llms.txt',
      '/mcp',
      '/docs',
      '/docs/',
      '/metrics',
      '/api',
      '/API/x',
      '/api/links/get-by-slug',
    ])
      expectError(await system.send({ path, headers: { host: name } }), 404, 'NOT_FOUND');
  expect((await system.send({ path: '/favicon.ico', headers: { host } })).status).toBe(404);
});
