// The simulated app on a phone: a tap leads to it, and it restores the link as an SDK does.
import { randomUUID } from 'node:crypto';
import { freePorts } from '@landfall/local';
import { type System, startSystem, type TestApp } from '@landfall/testkit';
import { describeWithProgram } from '@landfall/testkit/scale-out';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ANDROID, DESKTOP, IPHONE } from '../user-agents.ts';
import { expectAccessible } from './checks.ts';
import { launchBrowser, noBrowser } from './chromium.ts';

describeWithProgram(noBrowser(), 'the simulated app', () => {
  const id = randomUUID();
  let system: System;
  let browser: Browser;
  let app: TestApp;
  let other: TestApp;
  let link: { url: string; slug: string };
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    system = await startSystem({
      PORT: `${port}`,
      PUBLIC_URL: `http://localhost:${port}`,
      LINK_DOMAIN: `localhost:${port}`,
      API_HOSTS: 'api.test',
      SIMULATED_APP: id,
      // As in a local network: the API answers under this address, too.
      SIMULATED_APP_HOST: `127.0.0.1:${port}`,
    });
    // The browser has the clock of this machine.
    system.clock.advance({ ms: Date.now() - system.clock() });
    browser = await launchBrowser();
    const settings = {
      ios: { storeId: '1000000000', bundleId: 'com.example.demo' },
      android: { package: 'com.example.demo' },
    };
    app = await system.makeApp(settings, undefined, id);
    other = await system.makeApp(settings);
    link = await system.makeLink(app, '/welcome?code=42', { title: '<b>Hello</b>' });
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  async function phone(userAgent: string): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext({ userAgent, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    return { page, faults };
  }

  const result = (page: Page) => page.locator('#result').textContent();

  it('says in words why nothing was restored, here before the first tap', async () => {
    const { page } = await phone(IPHONE);
    await page.goto(new URL('/simulated-app', link.url).href);
    await expect.poll(() => result(page)).toBe('Nothing was restored.');
    await expect.poll(() => page.locator('#summary').textContent()).toMatch(/^nothing: no tap at this address/);
  });

  it('restores a tap on Android by the referrer that its store passes on', async () => {
    const { page, faults } = await phone(ANDROID);
    await page.goto(link.url);
    expect(new URL(page.url()).pathname).toBe('/simulated-app');
    await expect.poll(() => result(page)).toBe('Restored /welcome?code=42');
    await page.getByText('<b>Hello</b>', { exact: true }).waitFor();
    expect(await page.locator('#facts').textContent()).toContain('matched bytoken');
    expect(await page.locator('#summary').textContent()).toMatch(/token/);
    await page.getByText('The app is new on this phone.').waitFor();
    await expectAccessible(page, { whole: true });
    expect(faults.filter((fault) => !fault.includes('favicon'))).toEqual([]);
  });

  it('restores a tap on an iPhone by address, and says why a second start gets nothing', async () => {
    const { page } = await phone(IPHONE);
    await page.goto(link.url);
    await expect.poll(() => result(page)).toBe('Restored /welcome?code=42');
    expect(await page.locator('#facts').textContent()).toContain('matched byaddress');
    await page.getByRole('button', { name: 'Start the app again' }).click();
    await page.getByText('The app was started on this phone before.').waitFor();
    await expect.poll(() => page.locator('#summary').textContent()).toMatch(/link|tap/);
    await page.getByRole('button', { name: 'Forget this phone' }).click();
    expect(await result(page)).toBe('This phone is forgotten. Tap the link again.');
    await page.goto(link.url);
    await page.getByText('The app is new on this phone.').waitFor();
    await expect.poll(() => result(page)).toMatch(/^Restored/);
  });

  it('forgets a phone also while its app starts', async () => {
    const { page } = await phone(IPHONE);
    const held = Promise.withResolvers<void>();
    await page.route('**/simulated-app/restore', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(new URL('/simulated-app', link.url).href);
    await page.getByText('The app is new on this phone.').waitFor();
    await page.getByRole('button', { name: 'Forget this phone' }).click();
    const answered = page.waitForResponse('**/simulated-app/restore');
    held.resolve();
    await (await answered).finished();
    // The script of the page reads the answer before this one.
    await page.evaluate(() => fetch('/simulated-app').then((answer) => answer.text()));
    expect(await result(page)).toBe('This phone is forgotten. Tap the link again.');
  });

  it('is also on the subdomain of its app, and the address still has the API', async () => {
    const { page } = await phone(ANDROID);
    const { port } = new URL(link.url);
    await page.goto(`http://${app.app.subdomain}.localhost:${port}/${link.slug}`);
    await expect.poll(() => result(page)).toBe('Restored /welcome?code=42');
    expect(new URL(page.url()).host).toBe(`${app.app.subdomain}.localhost:${port}`);
    const headers = { host: new URL(link.url).host };
    expect((await system.send({ path: '/livez', headers })).status).toBe(200);
    expect((await system.send({ path: '/openapi.json', headers })).status).toBe(200);
    expect((await system.send({ path: '/no-such-link', headers })).json.code).toBe('NOT_FOUND');
    expect((await system.send({ path: `/${link.slug}.qr.svg`, headers })).status).toBe(200);
  });

  it('plays no other app, and shows no key', async () => {
    const elsewhere = await system.makeLink(other, '/secret');
    const at = (url: string) => ({ host: new URL(url).host });
    for (const path of ['/simulated-app', '/simulated-app/restore', '/simulated-app/heartbeat']) {
      const headers = at(elsewhere.url);
      expect((await system.send({ path, headers })).status).toBe(404);
      const posted = await system.send({ method: 'POST', path, headers, body: { deviceFingerprint: 'a' } });
      expect(posted.status).toBe(404);
    }
    const page = await system.send({ path: '/simulated-app', headers: at(link.url) });
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(app.key);
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    const store = await system.tap(elsewhere.url, { userAgent: ANDROID });
    expect(store.headers.location).toContain('https://play.google.com/');
  });

  it('plays a new app, also on a computer, until the app has a build', async () => {
    const own = await system.makeApp();
    const first = await system.makeLink(own, '/hello');
    const { page } = await phone(DESKTOP);
    await page.goto(`${first.url}?lf_phone=1`);
    await expect.poll(() => result(page)).toBe('Restored /hello');
    expect(await page.locator('#facts').textContent()).toContain('matched bytoken');
    const path = `/api/manage/apps/${own.app.id}`;
    await system.manage({ method: 'PATCH', path, body: { android: { package: 'com.acme.shop' } } });
    const headers = { host: new URL(first.url).host };
    await expect.poll(async () => (await system.send({ path: '/simulated-app', headers })).status).toBe(404);
    await page.goto(`${first.url}?lf_phone=1`);
    expect(new URL(page.url()).pathname).toBe(`/${first.slug}`);
  });

  it('refuses wrong calls with a clear error', async () => {
    const headers = { host: new URL(link.url).host };
    const send = (method: string, path: string, body?: unknown) => system.send({ method, path, headers, body });
    expect((await send('POST', '/simulated-app/restore', { deviceFingerprint: 5 })).text).toContain(
      'deviceFingerprint',
    );
    expect((await send('DELETE', '/simulated-app')).status).toBe(405);
    expect((await send('GET', '/simulated-app/restore')).status).toBe(405);
    expect((await send('POST', '/simulated-app/create', {})).status).toBe(404);
  });
});
