// Full run: all pages wait with the same parts.
import { expect, it } from 'vitest';
import { describeWeb } from './web.ts';

/** In turn: Landfall is busy, a proxy answers in its place, a proxy shows its own page, nothing answers. */
const OUTAGES = [
  { status: 503, contentType: 'application/json', body: '{"error":"Busy.","code":"BUSY"}' },
  { status: 503, contentType: 'text/html', body: '<h1>Maintenance</h1>' },
  { status: 200, contentType: 'text/html', body: '<h1>Maintenance</h1>' },
  null,
];

describeWeb('while the API does not answer', {}, (site) => {
  // Nearly all of the time of these tests is the seconds after which a page asks again, so they run side by side.
  const test = it.concurrent;

  // The shell of the app has its data: what the page itself needs is what is missing.
  const OF_THE_SHELL = /\/api\/manage\/(me|apps\?limit=100|apps\/[0-9a-f-]{36})$/;

  /** Pages so far: each begins with another kind of outage, and each of its requests gets the next kind. */
  let pages = 0;

  // One page of each kind: all of them wait with the same parts.
  test.each([
    ['', 'Taps of the last 30 days'],
    ['/links', 'There is no link yet.'],
    ['/analytics', 'Taps: 0'],
    ['/live', 'Connected'],
    ['/push', 'No push has been sent yet.'],
    ['/settings', 'There is no secret yet.'],
    ['/instance', 'LINK_DOMAIN'],
    ['/docs/api', 'The SDK keys of an app.'],
  ])('%s says so, and recovers by itself', async (path, content) => {
    let asked = pages++;
    const page = await site.tab.context.newPage();
    const address = /^\/(account|instance|docs)/.test(path) ? path : site.app + path;
    await page.route(
      (url) => /^\/(api\/|openapi\.json)/.test(url.pathname) && !OF_THE_SHELL.test(url.pathname + url.search),
      (route) => {
        const answer = OUTAGES[asked++ % OUTAGES.length]!;
        return answer ? route.fulfill(answer) : route.abort();
      },
    );
    await page.goto(address);
    const outage = page.getByText('Landfall does not answer at the moment').or(page.getByText('Connecting'));
    await outage.first().waitFor();
    await page.unrouteAll();
    await page.getByText(content, { exact: false }).first().waitFor();
    await outage.first().waitFor({ state: 'detached' });
    await page.close();
  });

  test('a slow answer: the page says so, and goes on waiting', async () => {
    const page = await site.tab.context.newPage();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/manage/apps/*/keys', async (route) => {
      await answered;
      await route.continue();
    });
    await page.goto(`${site.app}/keys`);
    await page.getByText('Landfall takes longer than usual to answer.').waitFor();
    answer();
    await page.getByText('There is no key yet.').waitFor();
    expect(await page.getByText('Landfall takes longer').count()).toBe(0);
    await page.close();
  });

  test('the shell itself comes back', async () => {
    const page = await site.tab.context.newPage();
    await page.route('**/api/**', (route) => route.abort());
    await page.goto(`${site.app}/keys`);
    await page.getByText('Landfall does not answer at the moment').waitFor();
    await page.unrouteAll();
    await page.getByText('There is no key yet.').waitFor();
    await page.close();
  });

  test('a form keeps what was entered', async () => {
    const page = await site.tab.context.newPage();
    await page.goto(`${site.app}/links/new`);
    await page.getByRole('textbox', { name: 'Destination' }).fill('//kept');
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Create the link' }).click();
    const alert = page.getByRole('form', { name: 'Create the link' }).getByRole('alert');
    await alert.getByText('Landfall does not answer at the moment').waitFor();
    // The page does not repeat what a person sends.
    await alert.getByText('What you entered stays. Try again in a moment.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Destination' }).inputValue()).toBe('//kept');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Create the link' }).click();
    // It arrives now, and makes no link: another test waits for a list without one.
    await page.getByText('Enter a path of the app').waitFor();
    await page.close();
  });
});
