import { describe, expect, it } from 'vitest';
import { expectAccessible, expectShown, expectStill, untilLoaded } from './checks.ts';
import { tabAndPress, tabTo, untilFocused } from './keyboard.ts';
import { callAs, describeWeb, OWNER } from './web.ts';

describeWeb('the pages', {}, (site) => {
  // The suite with data has the others.
  it.each([
    ['/live', 'Live events'],
    ['/matching', 'Matching rules'],
    ['/push', 'Push'],
    ['/push/new', 'New push'],
    ['/push/credentials', 'Push credentials'],
  ])('%s is accessible, and keeps its policy', async (path, heading) => {
    await site.page.goto(site.app + path);
    await expectShown(site.page, heading);
  });

  it.each([
    ['/apps/new', 'New app'],
    ['/instance', 'Health'],
    ['/instance/teams', 'Teams'],
    ['/instance/apps', 'Apps and plans'],
    ['/instance/audit', 'All changes'],
  ])('%s of the instance is accessible, and keeps its policy', async (path, heading) => {
    await site.page.goto(path);
    await expectShown(site.page, heading);
  });

  it('the health of the instance says when it was checked, and leads to the guide of alerts', async () => {
    const { page } = site;
    await page.goto('/instance');
    await page.getByText('Phones open apps only from https links.').waitFor();
    await page.getByText('Checked').getByRole('time').waitFor();
    await page.getByRole('link', { name: 'the operations guide' }).click();
    await page.getByRole('heading', { level: 1, name: 'Runbook: alerts' }).waitFor();
  });

  // The tests of their data check the whole of these pages.
  it.each([
    ['/devices', 'Devices'],
    ['/members', 'Members'],
    ['/settings', 'Settings'],
    ['/set-up?platform=react-native&variant=bare', 'Add to your app'],
    ['/account', 'Account'],
    ['/instance/people', 'People'],
    ['/instance/dead-letters', 'Dead letters'],
  ])('%s is accessible without data, too', async (path, heading) => {
    await site.page.goto(/^\/(account|instance)/.test(path) ? path : site.app + path);
    // Long lines of code scroll on a phone.
    await expectShown(site.page, heading, { whole: false, onPhone: path.includes('variant') });
  });

  it.each(['/sign-in', '/forgotten', '/reset', '/join', '/try', '/nothing-here'])(
    '%s is accessible for a stranger',
    async (path) => {
      const { page } = await site.web.open();
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectStill(page);
      await expectAccessible(page, { whole: true });
    },
  );

  it('is busy until its page is drawn, also when everything came and the machine is slow', async () => {
    const { page, context } = await site.web.open();
    await context.addCookies(await site.tab.context.cookies());
    await page.addInitScript(() => {
      const { json } = Response.prototype;
      Response.prototype.json = async function (this: Response) {
        const answer = await json.call(this);
        await new Promise((resolve) => setTimeout(resolve, 600));
        return answer;
      };
    });
    await page.goto(`${site.app}/keys`);
    await untilLoaded(page);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });

  it('shows on the set-up page the code of each platform, with the hosts and a key of the app', async () => {
    const { page } = site;
    await page.goto(`${site.app}/set-up`);
    const file = page.getByRole('region', { name: 'Copy: The whole app, in one file' });
    await expect.poll(() => file.textContent()).toContain('import SwiftUI');
    await page.getByText('UIKit', { exact: true }).click();
    await expect.poll(() => file.textContent()).toContain('UIWindowSceneDelegate');
    await page.getByRole('tab', { name: 'Android' }).click();
    await expect.poll(() => file.textContent()).toContain('key = "YOUR_KEY"');
    await page.getByRole('button', { name: 'Make a mobile key' }).click();
    await expect.poll(() => file.textContent()).toMatch(/key = "ol_[0-9a-f]{32}"/);
    const { linkHost, openHost } = (await callAs(site.tab, 'GET', `/api/manage${site.app}`)).app;
    const plain = (host: string) => host.replace(/:\d+$/, '');
    const code = await file.textContent();
    expect(code).toContain(`url = "${site.web.url}"`);
    expect(code).toContain(`hosts = listOf("${plain(linkHost)}", "${plain(openHost)}")`);
  });

  it('shows on the set-up page what an app sends, without a reload', async () => {
    const { page } = site;
    const { plaintext: key } = await callAs(site.tab, 'POST', `/api/manage${site.app}/keys`, { label: 'App' });
    await page.goto(`${site.app}/set-up`);
    await page.getByText('Waiting for the first call of your app').waitFor();
    await fetch(`${site.web.url}/api/deferred-deep-linking/install-heartbeat`, {
      method: 'POST',
      headers: { 'x-service-sdk-key': key, 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
      body: '{"deviceFingerprint": "phone", "platform": "android"}',
    });
    const client = page.getByRole('listitem').filter({ hasText: 'Android · curl' });
    await client.getByText('heartbeat ✓').waitFor();
    await client.getByText('restore ✗').waitFor();
    await client.getByText('Restore: send one at the start of the app.').waitFor();
    await expectShown(page, 'Add to your app', { onPhone: true });
  });

  describe('with the keyboard alone', () => {
    it('creates a link, sees its QR code, archives it and takes that back', async () => {
      const { page } = site;
      await page.goto(`${site.app}/links`);
      await tabAndPress(page.getByRole('link', { name: 'New link' }).first());
      await untilFocused(page.getByRole('textbox', { name: 'Destination' }));
      await page.keyboard.type('/invite?code=42');
      await tabAndPress(page.getByRole('button', { name: 'Labels and metadata' }));
      await tabAndPress(page.getByRole('button', { name: 'Add a key' }));
      await tabTo(page.getByRole('textbox', { name: 'Key 1' }));
      await page.keyboard.type('campaign');
      await page.keyboard.press('Tab');
      await page.keyboard.type('spring');
      await tabAndPress(page.getByRole('button', { name: 'Create the link' }));
      await page.getByRole('img', { name: /^QR code of http/ }).waitFor();
      await tabAndPress(page.getByRole('link', { name: 'Open its page' }));
      await page.getByText('campaign: spring').waitFor();
      await tabAndPress(page.getByRole('button', { name: 'Archive' }));
      await tabAndPress(page.getByRole('button', { name: 'Undo' }));
      await page.getByRole('button', { name: 'Archive' }).waitFor();
    });

    it('moves the focus once for each Tab, also when the timers of a busy page are late', async () => {
      // A stopped clock stops every page of its context, so this page has its own.
      const { page, context } = await site.web.open();
      await context.addCookies(await site.tab.context.cookies());
      await page.goto(`${site.app}/links/new`);
      await untilFocused(page.getByRole('textbox', { name: 'Destination' }));
      // From here, no timer of the page fires by itself.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.getByRole('button', { name: 'Expiry' }).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.clock.runFor(1_000);
      expect(await page.locator(':focus').textContent()).toBe('Create the link');
    });

    it('shows the calls of a backend with a new server key', async () => {
      const { page } = site;
      await page.goto(`${site.app}/keys?new=true`);
      await page.getByRole('textbox', { name: 'Label' }).fill('Calls');
      await page.getByRole('radio', { name: 'Server' }).check();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText(/LANDFALL_KEY=ol_[0-9a-f]{32}\n/).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'I have saved it' }).click();
    });

    it('makes a key, rotates it and revokes it', async () => {
      const { page } = site;
      await page.goto(`${site.app}/keys`);
      await tabAndPress(page.getByRole('button', { name: 'New key' }));
      await untilFocused(page.getByRole('textbox', { name: 'Label' }));
      await page.keyboard.type('Backend');
      await page.keyboard.press('Enter');
      await page.getByText('Choose where the key is used.').waitFor();
      await tabAndPress(page.getByRole('radio', { name: 'Mobile' }), 'Space');
      await tabAndPress(page.getByRole('button', { name: 'Create key' }));
      await page.getByText('A mobile key: it goes into your app.').waitFor();
      await page.getByText(/^ol_[0-9a-f]{32}$/).waitFor();
      await expectAccessible(page);
      await tabAndPress(page.getByRole('button', { name: 'I have saved it' }));
      await tabAndPress(page.getByRole('button', { name: 'Rotate Backend' }));
      await tabAndPress(page.getByRole('dialog', { name: 'Rotate' }).getByRole('button', { name: 'Rotate' }));
      await page.getByText(/^ol_[0-9a-f]{32}$/).waitFor();
      await tabAndPress(page.getByRole('button', { name: 'I have saved it' }));
      await page.getByText('Replaced, still valid').waitFor();
      await tabAndPress(page.getByRole('button', { name: 'Revoke Backend' }).first());
      await page.getByText('It was not used in the last 24 hours.').waitFor();
      await expectAccessible(page);
      await tabAndPress(page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }));
      await tabAndPress(page.getByText('1 revoked key'));
      await page.getByText('Revoked', { exact: true }).waitFor();
      // On a phone each row is a card, with the name of each value and all actions.
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('cell', { name: /^State\s*Revoked$/ }).waitFor();
      const box = (await page.getByRole('button', { name: 'Revoke Backend' }).first().boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(390);
      expect(await page.getByRole('columnheader', { name: 'State' }).count()).toBe(2);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  });

  it('a session that ends in one tab ends in the others, and the sign-in leads back', async () => {
    const { page, context } = await site.web.open();
    await page.goto(`${site.app}/keys`);
    await page.getByRole('textbox', { name: 'Email' }).fill(OWNER.email);
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    const other = await context.newPage();
    await other.goto(`${site.app}/links`);
    await other.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.goto('/login');
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
