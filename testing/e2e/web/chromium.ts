// The browser of the tests of the web app, and of the pictures in the documents.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';

/**
 * Playwright's own builds are downloaded. Debian's packages are not. The shell draws no window, and needs a fifth less
 * of the processor.
 */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? BROWSERS.find(existsSync) ?? BROWSERS[0]!;

/** Returns the reason why no browser can be started, in a sentence; undefined when there is one. */
export const noBrowser = (): string | undefined =>
  existsSync(CHROMIUM)
    ? undefined
    : `There is no ${CHROMIUM}: install Debian's package chromium-headless-shell or chromium, or name a Chromium in CHROMIUM.`;

/**
 * Pages of tests do not live long enough to gain from the compilers that optimise. Without them the browser needs a
 * quarter less of the processor.
 */
const QUICK = '--js-flags=--no-opt,--no-maglev';

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', QUICK] });

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** As those of `Web`. */
  faults: string[];
}

/** The tabs that tests of this process have opened. */
export const tabs: Tab[] = [];

/** Whether the answer to a request has not come to its end. */
export const isUnderWay = (request: Request): boolean => !request.failure() && request.timing().responseEnd === -1;
