import { describeWithProgram } from '@landfall/testkit/scale-out';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser } from './chromium.ts';
import type { Tab } from './open-tabs.ts';
import {
  expectAccessible,
  expectStill,
  OWNER,
  setUp,
  startWeb,
  tabAndPress,
  tabTo,
  untilFocused,
  untilLoaded,
  type Web,
} from './web.ts';

describeWithProgram(noBrowser(), 'the pages', () => {
  let web: Web;
  let tab: Tab;
  let app: string;
  beforeAll(async () => {
    web = await startWeb();
    tab = await web.open();
    app = await setUp(web, tab);
  });
  afterAll(() => web.stop());

  describe('every page', () => {
    /** Pages with a table: on a phone they are another layout. */
    const WITH_TABLES = ['/links', '/restores', '/devices', '/keys', '/members', '/audit'];

    async function seen(page: Page, heading: string, onPhone = false): Promise<void> {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await untilLoaded(page);
      await expectStill(page);
      await expectAccessible(page, { onPhone });
    }

    const pages = [
      ['', 'Café Notes'],
      ['/links', 'Links'],
      ['/analytics', 'Analytics'],
      ['/live', 'Live'],
      ['/restores', 'Restores'],
      ['/matching', 'Matching'],
      ['/push', 'Push'],
      ['/push/new', 'New push'],
      ['/push/credentials', 'Push credentials'],
      ['/devices', 'Devices'],
      ['/keys', 'Keys'],
      ['/members', 'Members'],
      ['/set-up', 'Set up'],
      ['/set-up?platform=server', 'Set up'],
      ['/audit', 'Audit log'],
      ['/settings', 'Settings'],
    ];
    it.each(pages)('%s is accessible without data, on a phone too, and keeps its policy', async (path, heading) => {
      const { page, faults } = tab;
      await page.goto(app + path);
      await seen(page, heading!, WITH_TABLES.includes(path!));
      expect(faults).toEqual([]);
    });

    it.each([
      ['/account', 'Account'],
      ['/apps/new', 'New app'],
      ['/instance', 'Health'],
      ['/instance/people', 'People'],
      ['/instance/teams', 'Teams'],
      ['/instance/apps', 'Apps and plans'],
      ['/instance/dead-letters', 'Dead letters'],
      ['/instance/audit', 'All changes'],
    ])('%s of the instance is accessible, and keeps its policy', async (path, heading) => {
      const { page, faults } = tab;
      await page.goto(path);
      await seen(page, heading);
      expect(faults).toEqual([]);
    });

    it.each(['/sign-in', '/reset', '/join', '/try', '/nothing-here'])(
      '%s is accessible for a stranger',
      async (path) => {
        const { page, faults } = await web.open();
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expectStill(page);
        await expectAccessible(page);
        expect(faults).toEqual([]);
      },
    );
  });

  it('the window of a new link, and the page of that link, are accessible', async () => {
    const { page, faults } = tab;
    await page.goto(`${app}/links?create=true`);
    await page.getByRole('textbox', { name: 'Destination' }).fill('/first');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('img', { name: /^QR code of http/ }).waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('the windows of a new key, and of its end, are accessible', async () => {
    const { page, faults } = tab;
    await page.goto(`${app}/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('Seen');
    await page.getByRole('textbox', { name: 'Label' }).press('Enter');
    await page.getByText(/^ol_[0-9a-f]{32}$/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Revoke Seen' }).click();
    await page.getByText('It was not used in the last 24 hours.').waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  describe('with the keyboard alone', () => {
    it('creates a link, sees its QR code, archives it and takes that back', async () => {
      const { page, faults } = tab;
      await page.goto(`${app}/links`);
      await tabTo(page.getByRole('button', { name: 'New link' }));
      await page.keyboard.press('Enter');
      await untilFocused(page.getByRole('textbox', { name: 'Destination' }));
      await page.keyboard.type('/invite?code=42');
      await page.keyboard.press('Tab');
      await page.keyboard.type('{"campaign": "spring"}');
      await page.keyboard.press('Tab');
      await tabTo(page.getByRole('button', { name: 'Create the link' }));
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: /^QR code of http/ }).waitFor();
      await page.getByText('"campaign": "spring"').waitFor();
      await tabTo(page.getByRole('button', { name: 'Archive' }));
      await page.keyboard.press('Enter');
      await tabTo(page.getByRole('button', { name: 'Undo' }));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Archive' }).waitFor();
      await page.goto(`${app}/links?search=${encodeURIComponent('/invite')}`);
      await page.getByRole('row', { name: /\/invite\?code=42/ }).waitFor();
      expect(faults).toEqual([]);
    });

    it('moves the focus once for each Tab, also when the timers of a busy page are late', async () => {
      // A stopped clock stops every page of its context, so this page has its own.
      const { page, context } = await web.open();
      await context.addCookies(await tab.context.cookies());
      await page.goto(`${app}/links?create=true`);
      await untilFocused(page.getByRole('textbox', { name: 'Destination' }));
      // From here, no timer of the page fires by itself.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      // A field for a time has a stop for each of its parts.
      await page.getByLabel('Expires').focus();
      await tabTo(page.getByRole('button', { name: 'Preview in messages and feeds' }));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.clock.runFor(1_000);
      expect(await page.locator(':focus').textContent()).toBe('Create the link');
    });

    it('makes a key, rotates it and revokes it', async () => {
      const { page, faults } = tab;
      await page.goto(`${app}/keys`);
      await tabTo(page.getByRole('button', { name: 'New key' }));
      await page.keyboard.press('Enter');
      await untilFocused(page.getByRole('textbox', { name: 'Label' }));
      await page.keyboard.type('Backend');
      await page.keyboard.press('Enter');
      await page.getByText(/^ol_[0-9a-f]{32}$/).waitFor();
      await tabAndPress(page.getByRole('button', { name: 'I have saved it' }));
      await tabAndPress(page.getByRole('button', { name: 'Rotate Backend' }));
      await tabAndPress(page.getByRole('dialog', { name: 'Rotate' }).getByRole('button', { name: 'Rotate' }));
      await page.getByText(/^ol_[0-9a-f]{32}$/).waitFor();
      await tabAndPress(page.getByRole('button', { name: 'I have saved it' }));
      await page.getByText('Replaced, still valid').waitFor();
      await tabAndPress(page.getByRole('button', { name: 'Revoke Backend' }).first());
      await page.getByText('It was not used in the last 24 hours.').waitFor();
      await tabAndPress(page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }));
      await page.getByText('Revoked', { exact: true }).waitFor();
      expect(faults).toEqual([]);
    });
  });

  describe('a session', () => {
    it('that ends in one tab ends in the others, and the sign-in leads back', async () => {
      const { page, context } = await web.open();
      await page.goto(`${app}/keys`);
      await page.getByRole('textbox', { name: 'Email' }).fill(OWNER.email);
      await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
      const other = await context.newPage();
      await other.goto(`${app}/links`);
      await other.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });

  describe('an outage', () => {
    const answers = {
      'does not answer': null,
      'answers 503': { status: 503, contentType: 'application/json', body: '{"error":"Busy.","code":"BUSY"}' },
      'answers HTML': { status: 200, contentType: 'text/html', body: '<h1>Maintenance</h1>' },
    };
    // They wait for the seconds after which a page asks again, so they run side by side.
    it.concurrent.each(Object.entries(answers))(
      'that %s: the page says so, loses no input, and recovers by itself',
      async (name, answer) => {
        const page = await tab.context.newPage();
        await page.goto(`${app}/links`);
        await page.getByRole('button', { name: 'New link' }).click();
        await page.getByRole('textbox', { name: 'Destination' }).fill('/kept?x=1');
        await page.route('**/api/**', (route) => (answer ? route.fulfill(answer) : route.abort()));
        await page.getByRole('button', { name: 'Create the link' }).click();
        const alert = page.getByRole('dialog').getByRole('alert');
        await alert.getByText('Landfall does not answer at the moment').waitFor();
        // The page does not repeat what a person sends.
        await alert.getByText('What you entered stays. Try again in a moment.').waitFor();
        expect(await page.getByRole('textbox', { name: 'Destination' }).inputValue()).toBe('/kept?x=1');
        await page.keyboard.press('Escape');
        await page.getByRole('searchbox', { name: 'Search links' }).fill('/kept');
        await page.getByText('This page asks again every few seconds').waitFor();
        await page.unroute('**/api/**');
        await page.getByText('This page asks again every few seconds').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'New link' }).click();
        await page.getByRole('textbox', { name: 'Destination' }).fill(`/kept?${name.length}`);
        await page.getByRole('button', { name: 'Create the link' }).click();
        await page.getByRole('heading', { name: 'Last 30 days' }).waitFor();
        await page.close();
      },
    );
  });
});
