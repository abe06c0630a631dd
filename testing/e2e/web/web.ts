// The web app in a real browser, on a product of its own.
import { readFileSync } from 'node:fs';
import { builtWebApp } from '@landfall/dashboard/build';
import { connect, type Database } from '@landfall/db';
import { freePorts } from '@landfall/local';
import { type System, startSystem } from '@landfall/testkit';
import { describeWithProgram } from '@landfall/testkit/scale-out';
import type axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { isUnderWay, launchBrowser, noBrowser, type Tab, tabs } from './chromium.ts';

/** A person's browser. The one without a window calls itself headless, and counts as a bot. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36';

/** Shared by the tests of a suite. */
export interface Site {
  web: Web;
  /** The browser of the owner, who has set the product up, and its page. */
  tab: Tab;
  page: Page;
  /** The path of the pages of an app. */
  app: string;
  /** The database of the product. */
  database: Database;
}

interface SiteOptions {
  settings?: Settings;
  /** False: there is no owner and no app. */
  isSetUp?: boolean;
}

/** A suite in a browser, on a product of its own. After each test, no browser of the suite has a fault. */
export function describeWeb(
  name: string,
  { settings, isSetUp = true }: SiteOptions,
  suite: (site: Site) => void,
): void {
  describeWithProgram(noBrowser(), name, () => {
    const site = {} as Site;
    beforeAll(async () => {
      site.web = await startWeb(settings);
      site.database = connect({ url: site.web.system.databaseUrl, max: 1 });
      site.tab = await site.web.open();
      site.page = site.tab.page;
      if (isSetUp) site.app = await setUp(site.web, site.tab);
    }, 60_000);
    afterEach(() => expect(site.web.faults.splice(0)).toEqual([]));
    afterAll(async () => {
      await site.database?.close();
      await site.web?.stop();
    });
    suite(site);
  });
}

/** Further settings of the product, which may depend on its address. */
type Settings = Record<string, string> | ((url: string) => Promise<Record<string, string>>);

export interface Web {
  system: System;
  url: string;
  /** The faults of all browsers: script errors, broken policies, failed requests, requests to other hosts. */
  faults: string[];
  /** Opens a browser of another person: without cookies of the others. */
  open(options?: { userAgent?: string }): Promise<Tab>;
  stop(): Promise<void>;
}

export async function startWeb(settings: Settings = {}): Promise<Web> {
  const [port = 0] = await freePorts(1);
  const url = `http://localhost:${port}`;
  const env = typeof settings === 'function' ? await settings(url) : settings;
  const system = await startSystem({
    PORT: `${port}`,
    PUBLIC_URL: url,
    LINK_DOMAIN: `localhost:${port}`,
    WEB_APP_DIR: await builtWebApp(),
    ...env,
  });
  // The browser has the clock of this machine.
  system.clock.advance({ ms: Date.now() - system.clock() });
  let browser: Promise<Browser> | undefined;
  const faults: string[] = [];
  return {
    system,
    url,
    faults,
    async open({ userAgent = USER_AGENT } = {}) {
      browser ??= launchBrowser();
      return openTab(await browser, url, userAgent, faults);
    },
    async stop() {
      await (await browser)?.close();
      await system.stop();
    },
  };
}

async function openTab(browser: Browser, url: string, userAgent: string, faults: string[]): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: url,
    userAgent,
    viewport: SIZES.desktop,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    // A person may follow a link to elsewhere. A page asks only its own host: the policy tells it apart from link hosts.
    if (request.isNavigationRequest() || !protocol.startsWith('http')) return;
    if (!`.${host}`.endsWith(`.${new URL(url).host}`)) faults.push(`request to ${request.url()}`);
  });
  const tab = { page, context, faults };
  tabs.push(tab);
  return tab;
}

/** A page has fewer controls than this. */
const MOST_TABS = 150;

/**
 * Moves the focus to an element as a person without a mouse does: with Tab, forwards, from where the focus is. Fails when
 * Tab never reaches it.
 */
export async function tabTo(element: Locator): Promise<void> {
  const page = element.page();
  // Roles and names of all elements are computed each time that it is looked for. A key draws most elements anew in place.
  let node = await element.elementHandle();
  const hasFocus = () => node?.evaluate((node) => (node.isConnected ? node === document.activeElement : undefined));
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    let found = await hasFocus();
    if (found === undefined) {
      node = await element.elementHandle();
      found = await hasFocus();
    }
    if (found) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${element}`);
}

/** Waits until an element has the focus. A window moves the focus a moment after it is there: until then, keys go elsewhere. */
export async function untilFocused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/** Reaches an element with Tab, and presses a key there. */
export async function tabAndPress(element: Locator, key = 'Enter'): Promise<void> {
  await tabTo(element);
  await element.page().keyboard.press(key);
}

/** A refused request is an error of the browser, too. */
const EXPECTED = /^Failed to load resource/;

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

/** Cards that need single events are answered one after the other. On a busy machine, a dozen take more than ten seconds. */
const LOADED_MS = 20_000;

/** Waits until a page shows its data: it waits for no answer, and no place holder says that it is busy. */
export async function untilLoaded(page: Page): Promise<void> {
  // The last answer may come while the page is looked at. So requests are counted before, and those that it led to after.
  const look = async () => [await asked(page), await page.evaluate(busyWhenDrawn), await asked(page)];
  await expect.poll(look, { timeout: LOADED_MS }).toEqual([0, 0, 0]);
}

/** The number of requests that have no answer yet. A stream of events never ends. */
async function asked(page: Page): Promise<number> {
  const requests = await page.requests();
  return requests.filter((request) => isUnderWay(request) && request.resourceType() !== 'eventsource').length;
}

/** Above this, people notice that a page moves while it loads. */
const LAYOUT_SHIFT = 0.05;

/** Checks that a page did not move while it loaded. Call it before anything is done on the page, which may move it. */
export async function expectStill(page: Page): Promise<void> {
  const { moved, elements } = await page.evaluate(layoutShift);
  expect(moved, `${page.url()} moves: ${elements.join(', ')}`).toBeLessThan(LAYOUT_SHIFT);
}

interface Checks {
  /** All of the page, light and dark. Else only what a step has changed: the open windows, or `main` without one; light. */
  whole?: boolean;
  /** axe looks on a phone, too: for pages and windows that have other elements there, and not the same ones in one column. */
  onPhone?: boolean;
}

/**
 * Checks what people with each device and mode see: axe finds nothing, nothing is wider than the window, and no text is cut
 * off without a title that gives it whole. axe needs seconds of the processor, so it looks at everything once. The test
 * that shows a page with data checks the whole page (`expectShown`, or `whole`). A test that opens a window, a form or another
 * state checks that part alone. A state that another test has checked gets `expectFits`, or nothing.
 */
export async function expectAccessible(page: Page, { whole = false, onPhone = false }: Checks = {}): Promise<void> {
  await page.setViewportSize(SIZES.desktop);
  await withAxe(page);
  await expectNoViolations(page, whole);
  if (whole) {
    await page.emulateMedia({ colorScheme: 'dark' });
    // A mode changes colors alone: of texts, and of links beside them.
    await expectNoViolations(page, whole, ['color-contrast', 'link-in-text-block']);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await expectFits(page, async () => {
    if (onPhone) await expectNoViolations(page, whole);
  });
}

/** The findings of axe, with the facts that help to find them again. */
async function expectNoViolations(page: Page, whole: boolean, rules: string[] = []): Promise<void> {
  const found = await page.evaluate(violations, { rules, whole });
  expect({ url: page.url(), size: page.viewportSize(), rules, found }).toMatchObject({ found: [] });
}

/** Checks that nothing is wider than the window or cut off, on a computer and on a phone, where it calls `onPhone`. */
export async function expectFits(page: Page, onPhone = async (): Promise<void> => {}): Promise<void> {
  for (const [device, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    if (device === 'phone') await onPhone();
    // Widgets that measure themselves follow the window a moment later.
    await expect.poll(() => page.evaluate(overflow), { timeout: 5_000 }).toEqual({ wider: 0, cutOff: [] });
  }
  await page.setViewportSize(SIZES.desktop);
}

/** Waits until a page shows its data under this title. Checks that it did not move, and that all of it is accessible. */
export async function expectShown(page: Page, title: string, checks: Checks = {}): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await untilLoaded(page);
  await expectStill(page);
  await expectAccessible(page, { whole: true, ...checks });
}

/** Each page gets axe anew. In the form without comments it is less than half as long. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Brings axe into the page. */
export async function withAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
}

// The functions below run in the page, so they cannot use what this file imports.

/** Returns how far the page moved by itself since it was opened, as the browser counts it, and which elements moved. */
const layoutShift = (): Promise<{ moved: number; elements: string[] }> =>
  new Promise((resolve) => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element }[] };
    new PerformanceObserver((list) => {
      const shifts = (list.getEntries() as Shift[]).filter(({ hadRecentInput }) => !hadRecentInput);
      resolve({
        moved: shifts.reduce((sum, { value }) => sum + value, 0),
        elements: shifts.flatMap(({ value, sources }) =>
          sources.map(({ node }) => `${value}: ${node?.textContent?.slice(0, 60)}`),
        ),
      });
    }).observe({ type: 'layout-shift' as never, buffered: true });
    // The observer is not called when nothing moved.
    setTimeout(() => resolve({ moved: 0, elements: [] }), 50);
  });

/**
 * Returns the number of busy parts, when the page has drawn what it knows and has nothing to do. A browser without a window
 * sometimes draws no frame for ten seconds. The page renders without one, so the look does not wait for it for ever.
 */
const busyWhenDrawn = (): Promise<number> =>
  new Promise((resolve) => {
    const look = () => resolve(document.querySelectorAll('[aria-busy=true]').length);
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(look)));
    setTimeout(look, 1_000);
  });

/**
 * Returns the violations that axe finds by these rules, or by all, in the whole page, or in the windows and lists that are
 * open and, without a window, in `main`. First call `withAxe`.
 */
export const violations = async ({ rules = [] as string[], whole = true } = {}): Promise<string[]> => {
  const { axe: inPage } = window as unknown as { axe: typeof axe };
  // Windows, lists and notices are drawn in a portal.
  const hasWindow = document.querySelector('[data-portal] [aria-modal=true]') !== null;
  const parts = [...document.querySelectorAll(hasWindow ? '[data-portal]' : 'main, [data-portal]')];
  const found = await inPage.run(whole || parts.length === 0 ? document : { include: parts }, {
    resultTypes: ['violations'],
    ...(rules.length > 0 && { runOnly: rules }),
  });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
};

/** Parts that are wider than the window, and texts that are cut off. */
export const overflow = (): { wider: number; cutOff: string[] } => ({
  wider: document.documentElement.scrollWidth - innerWidth,
  cutOff: [...document.querySelectorAll<HTMLElement>('body *')]
    .filter(
      (element) =>
        element.clientWidth > 1 &&
        element.scrollWidth > element.clientWidth + 1 &&
        ['hidden', 'clip'].includes(getComputedStyle(element).overflowX) &&
        [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
        ) &&
        !element.closest('[title]'),
    )
    .map(({ textContent }) => textContent?.trim() ?? ''),
});

/** Calls the API as the person of a tab. Returns the answer. */
export async function callAs({ page }: Tab, method: string, path: string, data?: object) {
  const answer = await page.request.fetch(path, { method, headers: { 'x-landfall': '1' }, ...(data && { data }) });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

export const OWNER = { email: 'ada@example.com', password: 'correct horse battery' };

/** Sets the product up over the API, as the person of a tab. Returns the path of the pages of its app. */
async function setUp({ system }: Web, tab: Tab): Promise<string> {
  const code = await system.offerSetUp();
  await callAs(tab, 'POST', '/api/manage/set-up', { ...OWNER, code, name: 'ada', teamName: 'Analytical' });
  const { teams } = await callAs(tab, 'GET', '/api/manage/me');
  const settings = { name: 'Café Notes', subdomain: 'cafe-notes', matching: { existingUsers: true } };
  const { app } = await callAs(tab, 'POST', '/api/manage/apps', { teamId: teams[0].id, ...settings });
  return `/apps/${app.id}`;
}
