// Every page of a link host in a real browser: in every language on the narrowest phone, and with axe, policies and
// without scripts at three widths.
// Full run: the gateway tests these pages as text.
import { LANGUAGES, type Language, type Page, renderPage } from '@landfall/gateway';
import { describeWithProgram } from '@landfall/testkit/scale-out';
import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { overflow, violations, withAxe } from './checks.ts';
import { launchBrowser, noBrowser } from './chromium.ts';

const NAME = 'Café Notes';
const LINK = 'https://cafe.go.example/1763737445000-abcdefghijkl';

const stores = [
  { store: 'apple', url: 'https://apps.apple.com/app/id1' },
  { store: 'play', url: 'https://play.google.com/store/apps/details?id=com.example' },
  { store: 'huawei', url: 'https://appgallery.huawei.com/app/C1' },
  { store: 'amazon', url: 'https://www.amazon.com/dp/B1' },
] as const;
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const LOGO = 'ab'.repeat(32);
const app = { name: NAME, branding: { color: '#ffd400', sentence: 'Notes that smell of coffee.', logo: null } };
const plain = { name: NAME, branding: { color: null, sentence: null, logo: LOGO } };
const ways = { openUrl: LINK.replace('//', '//open-'), stores, webUrl: 'https://cafe.example/' };
const social = { title: 'A title of a link', description: 'Words about the link', imageUrl: null, url: LINK };

const EXIT = {
  url: `instagram://extbrowser/?url=${encodeURIComponent(LINK)}`,
  mayFail: true,
  reportPath: '/1763737445000-abcdefghijkl?lf_exit=instagram-extbrowser',
};
const NO_WAY_OUT = { inApp: null, banner: null, exit: null };
const PAGES: readonly Page[] = [
  { kind: 'choose', app, banner: { appId: '1', argument: LINK, appClipBundleId: null }, social, ...ways },
  { kind: 'in-app', app, inApp: 'Instagram', platform: 'ios', banner: null, exit: EXIT, ...ways },
  { ...NO_WAY_OUT, kind: 'in-app', app, platform: 'android', ...ways, stores: stores.slice(0, 1) },
  { kind: 'desktop', app, linkUrl: LINK, stores, social },
  { kind: 'ask-touch', app, touchUrl: `${LINK}?lf_touch=1`, otherUrl: `${LINK}?lf_touch=0` },
  { kind: 'preview', app: plain, social, ...ways },
  { kind: 'gone', app: plain },
  { kind: 'unknown-link', app },
  { kind: 'unknown-host' },
  { kind: 'method-not-allowed' },
  { kind: 'busy' },
];

let browser: Browser | undefined;
beforeAll(async () => {
  if (noBrowser() === undefined) browser = await launchBrowser();
});
afterEach(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));
afterAll(() => browser?.close());

interface Shown {
  tab: Tab;
  /** Errors of scripts, broken policies, requests to anything but the page. */
  faults: string[];
  show(page: Page, language: Language): Promise<void>;
}

/** Opens a window that gets pages as the link host sends them: with their policy. */
async function openWindow(options: BrowserContextOptions): Promise<Shown> {
  const context = await browser!.newContext(options);
  const tab = await context.newPage();
  const faults: string[] = [];
  let now = { body: '', csp: '' };
  await context.route('**/*', async (route) => {
    const asked = route.request().url();
    if (asked === new URL(`/logos/${LOGO}.png`, LINK).href)
      return route.fulfill({ status: 200, contentType: 'image/png', body: PIXEL });
    if (asked !== LINK) {
      if (!route.request().isNavigationRequest()) faults.push(`request to ${asked}`);
      return route.fulfill({ status: 200, contentType: 'text/html', body: 'elsewhere' });
    }
    return route.fulfill({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': now.csp },
      body: now.body,
    });
  });
  tab.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  tab.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  return {
    tab,
    faults,
    async show(page, language) {
      now = renderPage(page, language);
      // The touch check leaves the page at once.
      await tab.goto(LINK, { waitUntil: page.kind === 'ask-touch' ? 'commit' : 'load' });
    },
  };
}

describeWithProgram(noBrowser(), 'in every language on a phone of 320 pixels', () => {
  it.each(LANGUAGES.map((language) => [language.tag, language] as const))('%s is whole', async (_, language) => {
    const { tab, faults, show } = await openWindow({
      viewport: { width: 320, height: 640 },
      javaScriptEnabled: false,
    });
    for (const page of PAGES) {
      await show(page, language);
      expect({ kind: page.kind, ...(await tab.evaluate(overflow)) }).toEqual({ kind: page.kind, wider: 0, cutOff: [] });
      const outside = await tab.evaluate(textOutside);
      expect({ kind: page.kind, outside }).toEqual({ kind: page.kind, outside: [] });
      expect(await tab.evaluate(() => getComputedStyle(document.documentElement).direction)).toBe(language.direction);
    }
    expect(faults).toEqual([]);
  });
});

/** Texts outside of the window or of their own box. Runs in the page. */
const textOutside = (): string[] => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const outside: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement!;
    if (!node.textContent?.trim() || parent.closest('script, style, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = (parent.closest('.button, p, h1, main') ?? parent).getBoundingClientRect();
    for (const { left, right, top, bottom } of range.getClientRects())
      if (left < box.left - 1 || right > box.right + 1 || top < box.top - 2 || bottom > box.bottom + 2)
        outside.push(node.textContent.trim());
  }
  return outside;
};

describeWithProgram(noBrowser(), 'in Latin, Arabic and Japanese', () => {
  // The other languages are whole at the narrowest width (above), and have the rules of style of their direction.
  it.each([
    ['en', 320],
    ['en', 390],
    ['en', 1280],
    ['ar', 390],
    ['ja', 390],
  ])('%s at %i pixels has no violation, light and dark, and breaks no policy', async (tag, width) => {
    const language = LANGUAGES.find((one) => one.tag === tag)!;
    const { tab, faults, show } = await openWindow({ viewport: { width, height: 800 } });
    for (const page of PAGES.filter(({ kind }) => kind !== 'ask-touch')) {
      await show(page, language);
      expect({ kind: page.kind, ...(await tab.evaluate(overflow)) }).toEqual({ kind: page.kind, wider: 0, cutOff: [] });
      await withAxe(tab);
      expect({ page: page.kind, found: await tab.evaluate(violations, {}) }).toMatchObject({ found: [] });
      // The dark page differs in its colours only, and these are the same at every width.
      if (width !== 390) continue;
      await tab.emulateMedia({ colorScheme: 'dark' });
      const dark = await tab.evaluate(violations, { rules: ['color-contrast'] });
      expect({ page: page.kind, found: dark }).toMatchObject({ found: [] });
      await tab.emulateMedia({ colorScheme: 'light' });
    }
    expect(faults).toEqual([]);
  });

  it('the touch check asks people without scripts, and shows an iPad from a computer with them', async () => {
    const page = PAGES.find(({ kind }) => kind === 'ask-touch')!;
    const still = await openWindow({ javaScriptEnabled: false });
    await still.show(page, LANGUAGES[0]!);
    expect(await still.tab.getByRole('link').allTextContents()).toEqual(['On an iPad', 'On a computer']);
    const { tab, faults, show } = await openWindow({});
    await show(page, LANGUAGES[0]!);
    await tab.waitForURL(`${LINK}?lf_touch=0`);
    expect(faults).toEqual([]);
  });
});

describeWithProgram(noBrowser(), 'the button out of another app', () => {
  const page = PAGES.find(({ kind }) => kind === 'in-app')!;
  const reportOf = (tab: Tab) => tab.waitForRequest((request) => request.method() === 'POST');

  it.each([true, false])('is reported by the browser, with scripts: %s', async (javaScriptEnabled) => {
    const { tab, faults, show } = await openWindow({ javaScriptEnabled });
    await show(page, LANGUAGES[0]!);
    const [report] = await Promise.all([reportOf(tab), tab.getByRole('link', { name: 'Open in browser' }).click()]);
    expect(report.url()).toBe(new URL(EXIT.reportPath, LINK).href);
    // The test takes it as a request to elsewhere. The policy of the page let it pass.
    expect(faults.filter((fault) => !fault.startsWith('request to'))).toEqual([]);
  });

  it('points to the way by hand when nothing opens', async () => {
    const { tab, show } = await openWindow({});
    await tab.clock.install();
    await show(page, LANGUAGES[0]!);
    await tab.getByRole('link', { name: 'Open in browser' }).click();
    await tab.clock.runFor(1_500);
    expect(await tab.evaluate(() => document.activeElement?.id)).toBe('menu');
  });

  it('does not, when the page went to the background', async () => {
    const { tab, show } = await openWindow({});
    await tab.clock.install();
    await show(page, LANGUAGES[0]!);
    await tab.getByRole('link', { name: 'Open in browser' }).click();
    await tab.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await tab.clock.runFor(5_000);
    expect(await tab.evaluate(() => document.activeElement?.id)).toBe('exit');
  });
});

describeWithProgram(noBrowser(), 'without style', () => {
  it('every page reads from top to bottom', async () => {
    const { tab, show } = await openWindow({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
    for (const page of PAGES) {
      await show(page, LANGUAGES[0]!);
      await tab.evaluate(() => document.querySelector('style')!.remove());
      expect({ kind: page.kind, ...(await tab.evaluate(overflow)) }).toEqual({ kind: page.kind, wider: 0, cutOff: [] });
      expect(await tab.getByRole('heading', { level: 1 }).count(), page.kind).toBe(1);
      for (const link of await tab.getByRole('link').all()) expect(await link.isVisible(), page.kind).toBe(true);
    }
  });
});
