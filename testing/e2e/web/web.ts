// The web app in a real browser, on a product of its own.
import { builtWebApp } from '@landfall/dashboard/build';
import { connect, type Database } from '@landfall/db';
import { freePorts } from '@landfall/local';
import { type System, startSystem } from '@landfall/testkit';
import { describeWithProgram } from '@landfall/testkit/scale-out';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { SIZES } from './checks.ts';
import { launchBrowser, noBrowser, type Tab, tabs } from './chromium.ts';

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

/** A refused request is an error of the browser, too. */
const EXPECTED = /^Failed to load resource/;

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
