import { describeWithProgram } from '@landfall/testkit/scale-out';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noBrowser, setUp, startWeb, type Tab, type Web } from './web.ts';

const BUSY = { status: 503, contentType: 'application/json', body: '{"error":"Busy.","code":"BUSY"}' };

describeWithProgram(noBrowser(), 'while the API does not answer', () => {
  let web: Web;
  let tab: Tab;
  let app: string;
  beforeAll(async () => {
    web = await startWeb();
    tab = await web.open();
    app = await setUp(web, tab);
  });
  afterAll(() => web.stop());

  // The shell of the app has its data: what the page itself needs is what is missing.
  const OF_THE_SHELL = /\/api\/manage\/(me|apps\?limit=100|apps\/[0-9a-f-]{36})$/;

  it.each([
    ['', 'Clicks of the last 30 days'],
    ['/links', 'There is no link yet.'],
    ['/analytics', 'Clicks: 0'],
    ['/live', 'Connected'],
    ['/restores', 'No restore had a tap to consider.'],
    ['/push', 'No push has been sent yet.'],
    ['/push/credentials', 'For iPhones whose app uses Apple'],
    ['/devices', 'No device has registered for push yet.'],
    ['/keys', 'There is no key yet.'],
    ['/members', 'ada@example.com'],
    ['/set-up', 'Way to the App Store'],
    ['/audit', 'Create app'],
    ['/settings', 'There is no secret yet.'],
    ['/account', 'You have no token.'],
    ['/instance', 'LINK_DOMAIN'],
    ['/instance/people', 'Owner of the instance'],
    ['/instance/apps', 'unlimited'],
    ['/instance/dead-letters', 'There are no dead letters.'],
    ['/instance/audit', 'Nothing has been changed.'],
    ['/docs/api', 'The SDK keys of an app.'],
    ['/docs/api/createLink', 'It needs an SDK key of the app.'],
  ])('%s says so, and recovers by itself', async (path, content) => {
    const { page } = tab;
    const address = /^\/(account|instance|docs)/.test(path) ? path : app + path;
    await page.route(
      (url) => /^\/(api\/|openapi\.json)/.test(url.pathname) && !OF_THE_SHELL.test(url.pathname + url.search),
      (route) => route.fulfill(BUSY),
    );
    await page.goto(address);
    const outage = page.getByText('Landfall does not answer at the moment').or(page.getByText('Connecting'));
    await outage.first().waitFor();
    await page.unrouteAll();
    await page.getByText(content, { exact: false }).first().waitFor();
    await expect.poll(() => outage.count(), { timeout: 10_000 }).toBe(0);
  });

  it('the shell itself comes back', async () => {
    const { page } = tab;
    await page.route('**/api/**', (route) => route.abort());
    await page.goto(`${app}/keys`);
    await page.getByText('Landfall does not answer at the moment').waitFor();
    await page.unrouteAll();
    await page.getByText('There is no key yet.').waitFor();
  });
});
