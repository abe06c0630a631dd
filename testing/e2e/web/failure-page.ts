// Adds the page to the message of a failure. Files of a run share their modules, so a hook in one of these would belong
// to the first file alone: this file runs before each.
import type { Request } from 'playwright-core';
import { afterEach } from 'vitest';
import { isUnderWay, tabs } from './chromium.ts';

/** CI shows the beginning of a message. */
const LINES_OF_A_MESSAGE = 16;
const LAST_REQUESTS = 6;

// A failure names one element, and the rest of the page mostly says why. The message gets the beginning of the page, the
// log all of it.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const [error] = task.result.errors ?? [];
  for (const { page, faults } of tabs.filter(({ page }) => !page.isClosed())) {
    const of = async (selector: string) => page.locator(selector).last().ariaSnapshot({ timeout: 1_000 }).catch(String);
    const alerts = await page.getByRole('alert').allInnerTexts().catch(String);
    const asked = (await page.requests()).map((request) => ({
      path: new URL(request.url()).pathname,
      method: request.method(),
      outcome: outcomeOf(request),
    }));
    // Files of the app that came say little.
    const told = asked.filter(({ path, outcome }) => path.startsWith('/api/') || outcome !== '200');
    const last = told.slice(-LAST_REQUESTS).map(({ method, path, outcome }) => `${method} ${path} ${outcome}`);
    const what = `${page.url()} ${JSON.stringify({ faults, last, alerts })}`;
    process.stderr.write(`${task.name}: ${what}\n${await of('body')}\n\n`);
    const top = await of('main, [role=dialog]');
    const lines = top.split('\n').filter((line) => !line.includes('- /url: '));
    if (error) error.message += `\n${what}\n${lines.slice(0, LINES_OF_A_MESSAGE).join('\n')}`;
  }
});

/** Returns the status of the answer, and what is wrong with it. */
function outcomeOf(request: Request): string {
  const status = request.existingResponse()?.status();
  const failure = request.failure();
  if (failure) return `${status ?? 'no answer'}: ${failure.errorText}`;
  if (isUnderWay(request)) return status ? `${status}, not all of it yet` : 'no answer yet';
  return `${status}`;
}
