// What people with each device and mode see of a page: axe, sizes, and what moves.
import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isUnderWay } from './chromium.ts';

export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

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
    await inMode(page, 'dark');
    // A mode changes colors alone: of texts, and of links beside them.
    await expectNoViolations(page, whole, ['color-contrast', 'link-in-text-block']);
    await inMode(page, 'light');
  }
  await expectFits(page, async () => {
    if (onPhone) await expectNoViolations(page, whole);
  });
}

/** Changes the mode. The web app hears of it a moment later, and only then takes its other colors. */
async function inMode(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const isShown = (mode: string) => {
    const { mantineColorScheme: shown = mode } = document.documentElement.dataset;
    return shown === mode && matchMedia(`(prefers-color-scheme: ${mode})`).matches;
  };
  await page.waitForFunction(isShown, colorScheme, { polling: 20 });
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
