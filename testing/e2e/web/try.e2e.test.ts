// The page that says what a tap on a link would do.
import { describeWithProgram } from '@landfall/testkit/scale-out';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noBrowser } from './chromium.ts';
import type { Tab } from './open-tabs.ts';
import { callAs, expectAccessible, setUp, startWeb, type Web } from './web.ts';

describeWithProgram(noBrowser(), 'what a link would do', () => {
  let web: Web;
  let tab: Tab;
  let app: string;
  let link: { id: string; url: string };
  beforeAll(async () => {
    web = await startWeb();
    tab = await web.open();
    app = await setUp(web, tab);
    link = (await callAs(tab, 'POST', `/api/manage${app}/links`, { destination: '/welcome' })).link;
  });
  afterAll(() => web.stop());

  it('is shown for a link, device by device, with the page in a frame', async () => {
    const { page, faults } = tab;
    await page.goto(`${app}/links/${link.id}`);
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Try a link' }).waitFor();
    await page.getByText('phone-page').waitFor();
    const device = page.getByRole('combobox', { name: 'Device and browser' });
    await device.fill('Instagram on an iPhone');
    await device.press('ArrowDown');
    await device.press('Enter');
    await page.getByText('in-app-page').waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('link', { name: 'Open in the app' }).waitFor();
    await expectAccessible(page);
    expect(page.url()).toContain('device=ios-instagram');
    expect(faults).toEqual([]);
  });

  it('opens with ?d=1 for a member, and not for a stranger', async () => {
    const { page } = tab;
    await page.goto(`${link.url}?d=1`);
    await page.getByRole('heading', { level: 1, name: 'Try a link' }).waitFor();
    await page.getByText('phone-page').waitFor();
    const stranger = await web.open();
    await stranger.page.goto(`${link.url}?d=1`);
    expect(stranger.page.url()).toBe(`${link.url}?d=1&lf_d=0`);
    await stranger.page.goto(`/try?link=${encodeURIComponent(link.url)}`);
    await stranger.page.getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('is open to everyone where the app allows it', async () => {
    await tab.page.goto(`${app}/settings`);
    await tab.page.getByRole('switch', { name: 'Everyone may try links of this app' }).click();
    await tab.page.getByRole('button', { name: 'Save', exact: true }).click();
    await tab.page.getByText('Saved').first().waitFor();
    const { page, faults } = await web.open();
    await page.goto(`/try?link=${encodeURIComponent(link.url)}&device=windows-chrome`);
    await page.getByText('desktop-page').waitFor();
    await page.frameLocator('iframe').getByRole('heading').waitFor();
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });
});
