// The page that says what a tap on a link would do.
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './checks.ts';
import { callAs, describeWeb } from './web.ts';

describeWeb('what a link would do', {}, (site) => {
  let link: { id: string; url: string };
  beforeAll(async () => {
    // A page of ours plays an app without a build.
    await callAs(site.tab, 'PATCH', `/api/manage${site.app}`, { ios: { bundleId: 'com.example.shop' } });
    link = (await callAs(site.tab, 'POST', `/api/manage${site.app}/links`, { destination: '/welcome' })).link;
  });

  it('is shown for a link, device by device, with the page in a frame', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links/${link.id}`);
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Try a link' }).waitFor();
    await page.getByText('phone-page').waitFor();
    await page.getByText('Shows a page with buttons').waitFor();
    const device = page.getByRole('combobox', { name: 'Device and browser' });
    await device.fill('Instagram on an iPhone');
    await device.press('ArrowDown');
    await device.press('Enter');
    await page.getByText('in-app-page').waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('link', { name: 'Open in the app' }).waitFor();
    await expectAccessible(page, { whole: true });
    expect(page.url()).toContain('device=ios-instagram');
  });

  it('begins with the newest link', async () => {
    const { page } = site;
    await page.goto('/try');
    await page.getByText('phone-page').waitFor();
    expect(await page.getByRole('textbox', { name: 'Link' }).inputValue()).toBe(link.url);
  });

  it('opens with ?d=1 for a member, and not for a stranger', async () => {
    const { page } = site;
    await page.goto(`${link.url}?d=1`);
    await page.getByRole('heading', { level: 1, name: 'Try a link' }).waitFor();
    await page.getByText('phone-page').waitFor();
    const stranger = await site.web.open();
    await stranger.page.goto(`${link.url}?d=1`);
    expect(stranger.page.url()).toBe(`${link.url}?d=1&lf_d=0`);
    await stranger.page.goto(`/try?link=${encodeURIComponent(link.url)}`);
    await stranger.page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('is open to everyone where the app allows it', async () => {
    await site.page.goto(`${site.app}/settings`);
    await site.page.getByRole('switch', { name: 'Everyone may try links of this app' }).click();
    await site.page.getByRole('button', { name: 'Save', exact: true }).click();
    await site.page.getByText('The settings are saved.').waitFor();
    const { page } = await site.web.open();
    await page.goto(`/try?link=${encodeURIComponent(link.url)}&device=windows-chrome`);
    await page.getByText('desktop-page').waitFor();
    await page.frameLocator('iframe').getByRole('heading').waitFor();
  });
});
