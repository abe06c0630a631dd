// A support person looks for the start of somebody who tapped and got nothing.
import { ANDROID, freshIp, IPHONE } from '@landfall/testkit';
import { beforeAll, expect, it } from 'vitest';
import { callsOf } from '../calls.ts';
import { expectAccessible, expectShown, SIZES } from './checks.ts';
import { tabAndPress, tabTo, untilFocused } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

const LONG = `/خصم/${'🎉-sommer/'.repeat(40)}?utm_campaign=spring`;

describeWeb('the page of restores', {}, (site) => {
  /** A link that a start got. */
  let found: string;
  let linkTo: (destination: string) => Promise<string>;
  let start: (ip: string, client: string, body: object) => Promise<void>;

  beforeAll(async () => {
    const ofApp = `/api/manage${site.app}`;
    const appId = site.app.split('/').at(-1)!;
    const calls = callsOf(site.web.system);
    const { plaintext: key } = await callAs(site.tab, 'POST', `${ofApp}/keys`, { label: 'Phones' });
    linkTo = async (destination) => (await callAs(site.tab, 'POST', `${ofApp}/links`, { destination })).link.url;
    const [sale, long] = [await linkTo('/sale'), await linkTo(LONG)];
    found = long;
    start = async (ip, client, body) => {
      const headers = { host: new URL(site.web.url).host, 'x-openlynk-sdk-key': key, 'x-landfall-client': client };
      for (const call of ['install-heartbeat', 'restore'])
        await site.web.system.send({
          ...{ method: 'POST', path: `/api/deferred-deep-linking/${call}`, ip, headers },
          body: { appId, ...body, ...(call === 'restore' ? {} : { userEmail: undefined }) },
        });
      await site.web.system.settled();
    };
    // Found; not given, with many taps of one reason; nothing, from another network.
    const [home, office] = [freshIp(), freshIp()];
    await calls.tap(long, { ip: home, userAgent: IPHONE });
    site.web.system.clock.advance({ seconds: 4 });
    await start(home, 'swift/0.1.0', { deviceFingerprint: 'found', platform: 'ios', installedSecondsAgo: 1 });
    for (const n of [1, 2, 3, 4, 5])
      await calls.tap(await linkTo(`/offer/${n}`), { ip: office, userAgent: ANDROID.replace('141', `${140 - n}`) });
    await start(office, 'react-native/0.1.0', { deviceFingerprint: 'refused', platform: 'android' });
    await calls.tap(sale, { ip: freshIp(), userAgent: ANDROID });
    const ann = { deviceFingerprint: 'of Ann', platform: 'android', model: 'Pixel 9', userEmail: 'ann@example.com' };
    await start(freshIp(), 'landfall-android/0.1.0', ann);
  });

  it('an address that is pasted into the search of all pages leads to its link, before the starts that got it', async () => {
    const { page } = site;
    await page.goto(`${site.app}/keys`);
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await page.keyboard.press('/');
    await untilFocused(page.getByRole('combobox', { name: 'Search' }));
    await page.keyboard.insertText(found);
    await page.getByRole('group', { name: 'First starts, and what they got' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/links\/[0-9a-f-]{36}$/);
  });

  it('is accessible, does not move, and cuts nothing off', async () => {
    await site.page.goto(`${site.app}/restores`);
    await expectShown(site.page, 'Restores', { onPhone: true });
    expect(await site.page.getByText(/^\d taps$/).count()).toBe(1);
  });

  it('has a result and a reason in each row, and the rest when a row is opened', async () => {
    const { page } = site;
    await page.goto(`${site.app}/restores`);
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'landfall-android' });
    await row.getByText('No tap at this network address in the two hours before').waitFor();
    expect((await row.boundingBox())!.height).toBeLessThan(80);
    expect(await row.getByText(/^Sent: /).isVisible()).toBe(false);
    await tabAndPress(row.locator('summary'));
    await row.getByText(/^Sent: /).waitFor();
    await expectAccessible(page, { onPhone: true });
  });

  it('finds somebody by their email, and says which tap was near and what would have found it', async () => {
    const { page } = site;
    await page.goto(`${site.app}/restores`);
    await page.getByRole('searchbox').waitFor();
    await tabTo(page.getByRole('searchbox'));
    await page.keyboard.type('ann@example.com');
    await page.keyboard.press('Enter');
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'landfall-android' });
    await row.waitFor();
    await expect.poll(() => page.getByText(/^(react-native|swift)/).count()).toBe(0);
    await row
      .getByText(/^(\d+ seconds? before|In the same second), at another network address, the same platform$/)
      .first()
      .waitFor();
    await row.getByText(/^Sent: model, user\. Not sent: .*referrer/).waitFor();
    await row.getByText('implementation("com.android.installreferrer:installreferrer:2.2")').waitFor();
    // The email is not in the address of the page.
    expect(page.url()).not.toContain('ann');
    await tabAndPress(row.getByRole('link', { name: '/sale' }));
    await page.getByRole('img', { name: /^QR code of http/ }).waitFor();
    await page.goBack();
    await tabAndPress(page.getByRole('searchbox'), 'Control+A');
    await page.keyboard.press('Delete');
  });

  it('leads to the timeline of a device that never registered for push', async () => {
    const { page } = site;
    await page.goto(`${site.app}/restores?state=found`);
    const name = page.getByRole('link', { name: /^Device / });
    const heading = (await name.textContent())!;
    await name.click();
    await page.waitForURL(/\/devices\/[\w-]{43}$/);
    await page.reload();
    await expectShown(page, heading, { onPhone: true });
    const kinds = page.getByRole('main').getByText(/^(Tapped|Installed|Restore)$/);
    expect(await kinds.allTextContents()).toEqual(['Restore', 'Installed', 'Tapped']);
  });

  it('filters by what was given, and by platform, in its address', async () => {
    const { page } = site;
    await page.goto(`${site.app}/restores?state=refused`);
    await page.getByText(/react-native/).waitFor({ state: 'attached' });
    expect(await page.getByText(/landfall-android|swift/).count()).toBe(0);
    await page.getByText('No link', { exact: true }).click();
    await page.getByText(/landfall-android/).waitFor({ state: 'attached' });
    expect(new URL(page.url()).searchParams.get('state')).toBe('nothing');
    await page.getByRole('combobox', { name: 'Platform' }).click();
    await page.getByRole('option', { name: 'iOS' }).click();
    await page.getByText('No start matches. Rows are kept for 30 days.').waitFor();
    await expectAccessible(page);
    // On a phone they are behind one button.
    await page.setViewportSize(SIZES.phone);
    const platform = page.getByRole('combobox', { name: 'Platform' });
    await platform.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Filters (2)' }).click();
    expect(await platform.inputValue()).toBe('iOS');
    await expectAccessible(page);
    await page.setViewportSize(SIZES.desktop);
  });

  it('is live, too: rows of one device stand together, say what the start got, and name the link', async () => {
    const { page } = site;
    await page.goto(`${site.app}/live`);
    await page.getByText('Connected').waitFor();
    const [url, ip] = [await linkTo('/live'), freshIp()];
    await callsOf(site.web.system).tap(url, { ip, userAgent: IPHONE });
    site.web.system.clock.advance({ seconds: 4 });
    await start(ip, 'swift/0.1.0', { deviceFingerprint: 'live', platform: 'ios', installedSecondsAgo: 1 });
    const group = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'One device did this within seconds.' })
      .first();
    await group.getByText('Link given by network address').waitFor();
    await group.getByText('Install', { exact: true }).waitFor();
    await group.getByRole('link', { name: '/live' }).first().waitFor();
    await expectAccessible(page, { onPhone: true });
    await group.getByRole('link', { name: /^Device / }).click();
    await page.waitForURL(/\/devices\/[\w-]{43}$/);
  });
});
