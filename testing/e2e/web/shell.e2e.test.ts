// The frame of all pages: the menu, the search of the header, and the way of a keyboard through them.
import { freshIp } from '@landfall/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectFits, untilLoaded } from './checks.ts';
import { tabAndPress, untilFocused } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

describeWeb('the frame of all pages', {}, (site) => {
  const field = () => site.page.getByRole('combobox', { name: 'Search' });
  const menu = () => site.page.getByRole('navigation', { name: 'Pages of the app' });

  beforeAll(async () => {
    const ofApp = `/api/manage${site.app}`;
    const { plaintext: key } = await callAs(site.tab, 'POST', `${ofApp}/keys`, { label: 'App' });
    const ip = freshIp();
    const headers = { host: new URL(site.web.url).host, 'x-service-sdk-key': key };
    const ann = { deviceFingerprint: 'phone of Ann', platform: 'android', installedSecondsAgo: 5 };
    for (const [call, more] of [
      ['install-heartbeat', {}],
      ['restore', { userEmail: 'ann@example.com' }],
    ] as const) {
      const path = `/api/deferred-deep-linking/${call}`;
      await site.web.system.send({ method: 'POST', path, ip, headers, body: { ...ann, ...more } });
    }
    await callAs(site.tab, 'POST', `${ofApp}/links`, { destination: '/summer', name: 'Summer sale' });
    await site.web.system.settled();
  });

  describe('beside pages that belong to no app', () => {
    beforeAll(async () => {
      await site.page.goto(site.app);
      await site.page.getByRole('heading', { level: 1, name: 'Café Notes' }).waitFor();
    });

    it.each([
      ['/instance', ['Health']],
      ['/account', []],
      ['/apps/new', []],
      ['/try', ['Try a link']],
      ['/docs', ['Documentation']],
    ])('keeps the menu of the last app at %s, and marks the current page', async (path, current) => {
      const { page } = site;
      await page.goto(path);
      await menu().getByRole('group', { name: 'Measure' }).getByRole('link', { name: 'Analytics' }).waitFor();
      await untilLoaded(page);
      expect(await menu().locator('[aria-current=page]').allTextContents()).toEqual(current);
      // The documentation has a menu of its own beside it.
      if (path === '/docs') await expectFits(page);
    });
  });

  it('has a link that skips the menu, and a new page takes the focus', async () => {
    const { page } = site;
    await page.goto(`${site.app}/keys`);
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await untilLoaded(page);
    await page.keyboard.press('Tab');
    await untilFocused(page.getByRole('link', { name: 'Skip to the page' }));
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('main'));
    await page.keyboard.press('Tab');
    await untilFocused(page.getByRole('button', { name: 'New key' }));
    await menu().getByRole('link', { name: 'Devices' }).click();
    await untilFocused(page.getByRole('heading', { level: 1, name: 'Devices' }));
    expect(await page.title()).toBe('Devices · Landfall');
  });

  it('says why somebody got nothing, by their email, with the keyboard alone', async () => {
    const { page } = site;
    await page.goto('/account');
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.keyboard.press('/');
    await untilFocused(field());
    await page.keyboard.type('ann@example.com');
    const start = page.getByRole('group', { name: 'First starts, and what they got' }).getByRole('option');
    await start.waitFor();
    expect(await start.textContent()).toMatch(/^No link · /);
    await page.getByRole('option', { name: /Timeline of device/ }).waitFor();
    await expectAccessible(page, { onPhone: true });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Restores' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('ann@example.com');
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('ann@example.com');
    // Another way to the page shows all of it.
    await menu().getByRole('link', { name: 'Restores' }).click();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('keeps what is typed before its window is there', async () => {
    const { page } = site;
    await page.goto(`${site.app}/domains`);
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/search-dialog*', async (route) => {
      await held.promise;
      await route.continue();
    });
    // C would make a link on any other occasion.
    await page.keyboard.type('/cann@x');
    await page.keyboard.press('Backspace');
    held.resolve();
    await untilFocused(field());
    await page.keyboard.type('y');
    expect(await field().inputValue()).toBe('cann@y');
    await page.keyboard.press('Escape');
    await page.unrouteAll();
  });

  it('says where to look for somebody who only tapped, and finds pages, links and guides', async () => {
    const { page } = site;
    await page.keyboard.press('Control+k');
    await field().fill('nobody@example.com');
    await page.getByRole('option', { name: /that got nothing/ }).waitFor();
    await field().fill('summer');
    await page.getByRole('option', { name: /Summer sale/ }).waitFor();
    expect(
      await page
        .getByRole('option', { name: /Summer sale/ })
        .locator('mark')
        .textContent(),
    ).toBe('Summer');
    await field().fill('backup');
    await page.getByRole('group', { name: 'Guides' }).getByRole('option').first().waitFor();
    await field().fill('api key');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('heading', { level: 1, name: 'Keys' }));
  });

  it('never shows the answer to an earlier text, and says when there is none', async () => {
    const { page } = site;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/search?q=summer', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.route('**/search?q=broken', (route) =>
      route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', error: 'It broke.' } }),
    );
    await page.keyboard.press('/');
    const asked = page.waitForRequest('**/search?q=summer');
    await field().fill('summer');
    await asked;
    await field().fill('nobody@example.com');
    release();
    await page.getByRole('option', { name: /that got nothing/ }).waitFor();
    expect(await page.getByRole('option', { name: /Summer sale/ }).count()).toBe(0);
    await field().fill('broken');
    await page.getByText('The search of the app did not work.').waitFor({ state: 'attached' });
    await page.unrouteAll();
    await page.keyboard.press('Escape');
    await field().waitFor({ state: 'detached' });
  });

  it('has the whole menu in a drawer on a phone, and another app by its name', async () => {
    const { page } = site;
    const { teams } = await callAs(site.tab, 'GET', '/api/manage/me');
    const name = 'متجر الكتب القديمة في شارع الملك فهد بالرياض';
    await callAs(site.tab, 'POST', '/api/manage/apps', {
      teamId: teams[0].id,
      name,
      subdomain: 'books',
      matching: { existingUsers: true },
    });
    await page.setViewportSize(PHONE);
    await page.goto(`${site.app}/keys`);
    await tabAndPress(page.getByRole('button', { name: 'Open or close the menu' }));
    for (const group of ['Measure', 'Reach', 'Build', 'Team', 'Instance'])
      await menu().getByRole('group', { name: group }).waitFor();
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'hidden' });
    await tabAndPress(page.getByRole('button', { name: 'App: Café Notes' }));
    await untilFocused(page.getByRole('combobox', { name: 'Find an app' }));
    await page.keyboard.type('books');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await untilLoaded(page);
    await page.setViewportSize(DESKTOP);
    await expectAccessible(page, { whole: true, onPhone: true });
    // The menu of this app is the one that stays.
    await page.goto('/account');
    await page.getByRole('button', { name: `App: ${name}` }).waitFor();
  });
});
