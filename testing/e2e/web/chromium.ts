// The browser of the tests of the web app, and of the pictures in the documents.
import { existsSync } from 'node:fs';

/**
 * Playwright's own builds are downloaded. Debian's packages are not. The shell draws no window, and needs a fifth less
 * of the processor.
 */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
export const CHROMIUM = process.env.CHROMIUM ?? BROWSERS.find(existsSync) ?? BROWSERS[0]!;

/** Returns the reason why no browser can be started, in a sentence; undefined when there is one. */
export const noBrowser = (): string | undefined =>
  existsSync(CHROMIUM)
    ? undefined
    : `There is no ${CHROMIUM}: install Debian's package chromium-headless-shell or chromium, or name a Chromium in CHROMIUM.`;
