// examples/web-banner with the built client for web pages, in a browser on a phone.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { cspHash } from '@landfall/http';
import { freePorts } from '@landfall/local';
import { ANDROID, IPHONE, type System, startSystem } from '@landfall/testkit';
import { describeWithProgram } from '@landfall/testkit/scale-out';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { expectStill, overflow, violations, withAxe } from './checks.ts';
import { launchBrowser, noBrowser } from './chromium.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const example = path.join(root, 'examples/web-banner');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml' };
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36';

describeWithProgram(noBrowser(), 'the client for web pages', () => {
  let system: System;
  let browser: Browser;
  let link: { url: string; slug: string };
  let host: string;
  const faults: string[] = [];
  /** What a test puts into the head of the page. */
  let head = '';

  /** Serves the folder of the example as it is, with our addresses. The policy allows no style but that of the page. */
  const server = createServer(async (req, res) => {
    const name = new URL(req.url!, 'http://page').pathname.replace(/\/$/, '/index.html');
    const type = TYPES[path.extname(name)];
    const file = await readFile(path.join(example, name)).catch(() => null);
    if (file === null || type === undefined) return res.writeHead(404).end();
    if (type !== 'text/html') return res.writeHead(200, { 'content-type': type }).end(file);
    const html = file
      .toString()
      .replace('https://shop.links.example/1763737445000-abcdefghijkl', link.url)
      .replace('open-shop.links.example', `open-${host}`)
      .replace('https://api.example', `http://localhost:${system.port}`)
      .replace('</head>', `${head}</head>`);
    const inline = [...html.matchAll(/<(?:style|script)[^>]*>(.*?)<\/(?:style|script)>/gs)].map(([, text]) =>
      cspHash(text!),
    );
    const [styles, ...scripts] = inline;
    const policy = `default-src 'self'; style-src ${styles}; script-src 'self' ${scripts.join(' ')}; connect-src http://localhost:${system.port}`;
    return res.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(html);
  });
  const pageUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [path.join(root, 'clients/javascript/build.mjs'), 'web']);
    const [port = 0] = await freePorts(1);
    system = await startSystem({
      PORT: `${port}`,
      PUBLIC_URL: `http://localhost:${port}`,
      LINK_DOMAIN: `localhost:${port}`,
      API_HOSTS: 'api.test',
    });
    system.clock.advance({ ms: Date.now() - system.clock() });
    const app = await system.makeApp({ ios: { bundleId: 'com.example.shop' } });
    link = await system.makeLink(app, '/list/7', { inviter: 'Ann' });
    host = new URL(link.url).host;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
  }, 60_000);
  afterEach(async () => {
    head = '';
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
    await system?.stop();
  });

  async function open(options: BrowserContextOptions = {}, query = ''): Promise<Page> {
    const context = await browser.newContext({
      userAgent: ANDROID,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      ...options,
    });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(`${message.location().url}: ${message.text()}`);
    });
    await page.goto(`${pageUrl()}${query}`);
    // The script of the page has run when the look-up has an answer.
    await page.getByText('Ann shares this list with you.').waitFor();
    return page;
  }
  const bannerOf = (page: Page) => page.getByRole('region', { name: 'Café Notes' });

  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
    [320, 'light'],
  ] as const)(
    'shows a banner at %i pixels, %s, that moves nothing and breaks no policy',
    async (width, colorScheme) => {
      const page = await open({ viewport: { width, height: 700 }, colorScheme });
      await expectStill(page);
      expect(await page.evaluate(overflow)).toEqual({ wider: 0, cutOff: [] });
      await withAxe(page);
      expect(await page.evaluate(violations, {})).toEqual([]);
      const box = (await bannerOf(page).boundingBox())!;
      expect([box.x, box.width, box.y + box.height]).toEqual([0, width, 700]);
      expect(box.height).toBeLessThan(140);
      const middle = async (role: 'link' | 'button') => {
        const { y, height } = (await bannerOf(page).getByRole(role).boundingBox())!;
        return y + height / 2;
      };
      expect(await middle('button')).toBeCloseTo(await middle('link'), 0);
      // What lies over the page makes it no wider, so it is measured by itself.
      expect(await bannerOf(page).evaluate(textOutside)).toEqual([]);
      const background = await bannerOf(page).evaluate((element) => getComputedStyle(element).backgroundColor);
      expect(background).toBe(colorScheme === 'dark' ? 'rgb(34, 34, 34)' : 'rgb(255, 255, 255)');
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${width}-${colorScheme}.png` });
    },
  );

  it('goes to the link, with the campaign of the page', async () => {
    const page = await open({}, '?utm_source=blog&x=1');
    const button = bannerOf(page).getByRole('link', { name: 'Open' });
    const expected = `http://open-${host}/${link.slug}?utm_source=blog&lf_via=banner`;
    expect(await button.getAttribute('href')).toBe(expected);
    const [request] = await Promise.all([
      page.waitForRequest((request) => request.isNavigationRequest()),
      button.click(),
    ]);
    expect(request.url()).toBe(expected);
    // The app has no store here, so the tap leads to the page of the link.
    await page.getByRole('heading', { name: 'Open in Test app' }).waitFor();
  });

  it('opens the app by a button of the page, on a phone by the open host', async () => {
    for (const [userAgent, at] of [
      [IPHONE, `open-${host}`],
      [DESKTOP, host],
    ] as const) {
      const page = await open({ userAgent, hasTouch: userAgent === IPHONE });
      const [request] = await Promise.all([
        page.waitForRequest((request) => request.isNavigationRequest()),
        page.getByRole('button', { name: 'Open in the app' }).click(),
      ]);
      expect(request.url()).toBe(`http://${at}/${link.slug}`);
    }
  });

  it('is closed with the keyboard, and stays away', async () => {
    const page = await open();
    const padding = () => page.evaluate(() => document.documentElement.style.scrollPaddingBottom);
    expect(await padding()).toMatch(/^\d+px$/);
    // The button of the page, that of the banner, and this one.
    for (let tabs = 0; tabs < 3; tabs++) await page.keyboard.press('Tab');
    await bannerOf(page).getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor();
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/focus.png` });
    await page.keyboard.press('Enter');
    await bannerOf(page).waitFor({ state: 'detached' });
    expect(await padding()).toBe('');
    await page.reload();
    await page.getByText('Ann shares this list with you.').waitFor();
    expect(await bannerOf(page).count()).toBe(0);
    expect(await page.context().cookies()).toEqual([]);
  });

  it.each([
    ['on a computer', { userAgent: DESKTOP, hasTouch: false }, ''],
    ['inside Instagram', { userAgent: `${IPHONE.replace(/Safari.*/, '')}Instagram 401.0.0.30.89` }, ''],
    ['beside Apple’s banner', { userAgent: IPHONE }, '<meta name="apple-itunes-app" content="app-id=1">'],
  ])('is not shown %s', async (_, options, meta) => {
    head = meta;
    expect(await bannerOf(await open(options)).count()).toBe(0);
  });

  it('shows no icon that is not there', async () => {
    const page = await open();
    const icon = bannerOf(page).locator('img');
    await icon.evaluate((image: HTMLImageElement) => {
      image.src = 'missing.svg';
    });
    await icon.waitFor({ state: 'detached' });
    expect(faults.splice(0)).toEqual([expect.stringContaining('missing.svg')]);
  });

  it('runs from right to left where the page does, and keeps its style from the page’s', async () => {
    const page = await open();
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('div,section,a,button{display:none!important;color:red!important}');
      document.adoptedStyleSheets = [sheet];
    });
    const x = async (name: string) => (await bannerOf(page).getByText(name, { exact: true }).boundingBox())!.x;
    expect(await x('Open')).toBeLessThan(await x('Café Notes'));
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/rtl.png` });
  });
});

/** Texts of an element that are outside of their box, or of the window. Runs in the page. */
const textOutside = (element: Element): string[] =>
  [...element.querySelectorAll('b, span, a, button')]
    .filter((part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      const box = part.getBoundingClientRect();
      const text = range.getBoundingClientRect();
      const padding = Number.parseFloat(getComputedStyle(part).paddingRight);
      return text.left < box.left || text.right > box.right - padding + 1 || box.right > innerWidth;
    })
    .map(({ textContent }) => textContent ?? '');
