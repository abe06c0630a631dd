// The list of links as a work table, and the page of a link.
import { readFile } from 'node:fs/promises';
import { freshIp, IPHONE } from '@landfall/testkit';
import type { Locator } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { callsOf } from '../calls.ts';
import { DESKTOP } from '../user-agents.ts';
import { expectAccessible, expectFits, expectShown, untilLoaded } from './checks.ts';
import { tabAndPress } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

describeWeb('the list of links', {}, (site) => {
  const links = new Map<string, { id: string; url: string; slug: string }>();
  const nameless = (n: number) => `/many?n=${n}&utm_source=mail&utm_campaign=Spring%20Sale`;
  const ofApp = () => `/api/manage${site.app}`;

  async function make(name: string, body: object) {
    const { link } = await callAs(site.tab, 'POST', `${ofApp()}/links`, { name, ...body });
    links.set(name, link);
    return link;
  }

  beforeAll(async () => {
    await callAs(site.tab, 'PATCH', ofApp(), {
      matching: { existingUsers: false },
      android: { package: 'com.example.notes' },
    });
    const many = Array.from({ length: 130 }, (_, n) => ({ destination: nameless(n) }));
    await callAs(site.tab, 'POST', `${ofApp()}/links/import`, { links: many });
    const long = 'A rather long name of a link for the newsletter of the spring that nobody reads to its very end';
    await make(long, {
      destination: `/${'long/'.repeat(60)}end?utm_source=newsletter&utm_campaign=${'x'.repeat(200)}`,
    });
    await make('رابط عربي طويل للعرض في القائمة', { destination: '/rtl', tags: ['שלום עולם', 'spring'] });
    const party = { androidUrl: 'https://shop.example/android', tags: ['spring', 'poster', 'a', 'b', 'c'] };
    await make('🎉 Party 🎈', { destination: '/party', ...party });
    await make('Poster in the café', { destination: '/poster', slug: 'poster', note: 'For the wall' });
    const { tap } = callsOf(site.web.system);
    const { plaintext: key } = await callAs(site.tab, 'POST', `${ofApp()}/keys`, { label: 'App' });
    const ip = freshIp();
    await tap(links.get('🎉 Party 🎈')!.url, { ip });
    const headers = { host: new URL(site.web.url).host, 'x-service-sdk-key': key };
    const body = { deviceFingerprint: 'a phone', platform: 'android' };
    for (const path of ['install-heartbeat', 'restore'])
      await site.web.system.send({ method: 'POST', path: `/api/deferred-deep-linking/${path}`, ip, headers, body });
    const poster = links.get('Poster in the café')!;
    for (const userAgent of [IPHONE, DESKTOP]) await tap(`${poster.url}?qr`, { ip: freshIp(), userAgent });
    await site.web.system.settled();
  }, 60_000);

  const rows = () => site.page.getByRole('row');
  const first = () => rows().nth(1);

  it('is accessible, does not move, and cuts nothing off', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links`);
    await page.getByText('134 links', { exact: true }).waitFor();
    await expectShown(page, 'Links', { onPhone: true });
    // Where the list is scrolled to is computed from one height. A style of the library that comes late would break lines.
    const heights = await page.locator('tr[aria-rowindex]').evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(heights.filter((height) => height > 66)).toEqual([]);
    const room = await page.locator('td time').evaluateAll((times) =>
      times.map((time) => {
        time.textContent = '59 minutes ago';
        return time.parentElement!.clientWidth - time.parentElement!.scrollWidth;
      }),
    );
    expect(room.length).toBeGreaterThan(0);
    expect(room.filter((pixels) => pixels < 0)).toEqual([]);
  });

  it('is ordered by figures, and the address holds the order', async () => {
    const { page } = site;
    await tabAndPress(page.getByRole('columnheader', { name: 'Taps' }).getByRole('button'));
    await expect.poll(() => first().textContent()).toContain('Poster in the café');
    expect(new URL(page.url()).searchParams.get('sort')).toBe('clicks');
    await page.goto(`${site.app}/links?sort=installs&range=7d`);
    await expect.poll(() => first().textContent()).toMatch(/Party.*11100\.0%/);
    expect(await page.getByRole('columnheader', { name: 'Installs' }).getAttribute('aria-sort')).toBe('descending');
  });

  it('leaves out what means nothing in its address', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links?sort=best&range=9d&state=gone&origin=me`);
    await page.getByText('134 links', { exact: true }).waitFor();
  });

  it('keeps the columns of the person', async () => {
    const { page } = site;
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Last tap' }).click();
    await page.getByRole('columnheader', { name: 'Last tap' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('columnheader', { name: 'Campaign' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Last tap' }).count()).toBe(0);
  });

  it('is narrowed by a click on a tag or a campaign', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links`);
    await page.getByRole('button', { name: 'Only the tag spring' }).first().click();
    await page.getByText('2 links', { exact: true }).waitFor();
    await page.goto(`${site.app}/links?search=${encodeURIComponent('n=77')}`);
    await page.getByRole('button', { name: 'Only the campaign Spring Sale' }).click();
    await page.getByText('One link', { exact: true }).waitFor();
    await page.goto(`${site.app}/links?tag=nothing`);
    await page.getByText('No link matches.').waitFor();
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await page.getByText('134 links', { exact: true }).waitFor();
  });

  it('changes all that match, also those that are not loaded', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links?campaign=spring+sale`);
    await page.getByText('130 links', { exact: true }).waitFor();
    await tabAndPress(page.getByRole('checkbox', { name: 'Select all that are loaded' }), ' ');
    await page.getByText('100 links are selected').waitFor();
    // It is before the list, and the focus is in it.
    await page.getByRole('button', { name: 'Select all 130 that match' }).press('Enter');
    await page.getByText('130 links are selected').waitFor();
    await tabAndPress(page.getByRole('button', { name: 'Tags', exact: true }));
    const window = page.getByRole('dialog', { name: 'Tags of 130 links' });
    await window.getByRole('combobox', { name: 'Add tags' }).fill('Flyer');
    await window.getByRole('combobox', { name: 'Add tags' }).press('Enter');
    expect(await page.getByRole('listbox').filter({ visible: true }).count()).toBe(0);
    await expectAccessible(page, { onPhone: true });
    await tabAndPress(window.getByRole('button', { name: 'Change the links' }));
    await page.getByText('flyer was added to 130 links.').waitFor();
    const { total } = await callAs(site.tab, 'GET', `${ofApp()}/links?tag=flyer`);
    expect(total).toEqual({ count: 130, exact: true });
  });

  it('changes the campaign of selected links', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links?tag=poster`);
    await page.getByRole('checkbox', { name: 'Select 🎉 Party 🎈' }).click();
    await page.getByRole('button', { name: 'Campaign', exact: true }).click();
    const campaign = page.getByRole('dialog', { name: 'Campaign of one link' });
    await campaign.getByRole('combobox', { name: 'Source' }).fill('Big Poster');
    await expectAccessible(page, { onPhone: true });
    await campaign.getByRole('button', { name: 'Change the links' }).click();
    await page.getByText('One link has other campaign values now.').waitFor();
  });

  it('changes the expiry of selected links', async () => {
    const { page } = site;
    await page.getByRole('checkbox', { name: 'Select 🎉 Party 🎈' }).click();
    await page.getByRole('button', { name: 'Expiry', exact: true }).click();
    const expiry = page.getByRole('dialog', { name: 'Expiry of one link' });
    await expiry.getByLabel('Expires').fill('2099-01-31T10:00');
    await expiry.getByRole('button', { name: 'Change the links' }).click();
    await page.getByText('Selected links').waitFor({ state: 'detached' });
    const { id } = links.get('🎉 Party 🎈')!;
    await expect
      .poll(async () => (await callAs(site.tab, 'GET', `/api/manage/links/${id}`)).link)
      .toMatchObject({ destination: '/party?utm_source=big-poster', expiresAt: '2099-01-31T10:00:00.000Z' });
  });

  async function downloaded(button: Locator): Promise<Buffer> {
    const [download] = await Promise.all([site.page.waitForEvent('download'), button.click()]);
    return readFile(await download.path());
  }

  it('gives QR codes as a zip file, and a table with figures', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links?search=poster`);
    await page.getByText('2 links', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).click();
    await page.getByRole('button', { name: 'QR codes' }).click();
    const window = page.getByRole('dialog', { name: 'QR codes of 2 links' });
    const zip = (await downloaded(window.getByRole('button', { name: 'Download' }))).toString('latin1');
    expect(zip.slice(0, 2)).toBe('PK');
    expect(zip).toContain('Poster-in-the-cafe-poster.svg');
    expect(zip).toContain(`Party-${links.get('🎉 Party 🎈')!.slug}.svg`);
    expect(zip.match(/<svg /g)).toHaveLength(2);
    const csv = (await downloaded(page.getByRole('button', { name: 'CSV of the selection' }))).toString();
    const [heading, ...lines] = csv.trimEnd().split('\r\n');
    expect(heading).toMatch(/^\ufeffdestination,.*,clicks30d,installs30d,lastTapAt$/);
    expect(lines).toHaveLength(2);
    expect(csv).toMatch(/^\/poster,.*,2,0,2\d{3}-[^,]+Z$/m);
  });

  it('shows cards on a phone, with all actions of a row', async () => {
    const { page } = site;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site.app}/links?tag=spring`);
    const card = page.getByRole('listitem').filter({ hasText: '🎉 Party 🎈' });
    await card.getByText('Taps').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    // The first link is in sight, and the filters are behind one button.
    const { y, height } = (await page
      .getByRole('list', { name: 'Links' })
      .getByRole('listitem')
      .first()
      .boundingBox())!;
    expect(y + height).toBeLessThan(844);
    expect(await page.getByRole('combobox', { name: 'Tag' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    expect(await page.getByRole('combobox', { name: 'Tag' }).inputValue()).toBe('spring');
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await card.getByRole('button', { name: 'Actions of 🎉 Party 🎈' }).click();
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    expect(await items.allTextContents()).toEqual([
      'QR code',
      'Open in analytics',
      'Try it',
      'Edit',
      'Duplicate',
      'Archive',
    ]);
    await page.keyboard.press('Escape');
    await card.getByRole('checkbox').click();
    await page.getByText('One link is selected').waitFor();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('One link is archived.').waitFor();
    await card.getByText('Archived').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await card.getByText('Archived').waitFor({ state: 'detached' });
    await expectFits(page);
  });

  it('leads on when there is no link', async () => {
    const { page } = site;
    const { teams } = await callAs(site.tab, 'GET', '/api/manage/me');
    const { app } = await callAs(site.tab, 'POST', '/api/manage/apps', {
      teamId: teams[0].id,
      name: 'New',
      subdomain: 'new',
    });
    await page.goto(`/apps/${app.id}/links`);
    await page.getByText('There is no link yet.').waitFor();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'New link' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'New link' }).waitFor();
  });

  it('leads to the page of a link: its taps with what became of each', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links/${links.get('🎉 Party 🎈')!.id}`);
    await page.getByRole('heading', { level: 1, name: '🎉 Party 🎈' }).waitFor();
    const taps = page.getByRole('region', { name: 'Taps' });
    await taps.getByText('Link given', { exact: true }).first().waitFor();
    // It was edited since its tap, and its pages were not.
    await taps.getByText('Sent to: its own page for Android', { exact: true }).waitFor();
    await untilLoaded(page);
    await expectAccessible(page, { whole: true, onPhone: true });
  });

  it('leads on to the device of an install', async () => {
    const { page } = site;
    const installs = page.getByRole('region', { name: 'Installs' });
    await installs.getByText(/^(Certain|Likely): by/).waitFor();
    await installs.getByRole('link', { name: 'See the device' }).click();
    await page.getByText('Restore').first().waitFor();
  });

  it('leads from a tap to what such a device would get now', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links/${links.get('Poster in the café')!.id}`);
    const taps = page.getByRole('region', { name: 'Taps' }).getByRole('listitem');
    await taps.filter({ hasText: 'Windows' }).locator('summary').click();
    await taps.filter({ hasText: 'Windows' }).getByRole('link', { name: 'Try it' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Device' }).inputValue()).toBe('Chrome on Windows');
    expect(new URL(page.url()).searchParams.get('link')).toBe(links.get('Poster in the café')!.url);
  });

  it('leads from the id of a tap to this tap, and says which taps are not found by theirs', async () => {
    const { page } = site;
    const { taps } = await callAs(site.tab, 'GET', `/api/manage/links/${links.get('🎉 Party 🎈')!.id}/taps`);
    const { tapId } = taps.find(({ outcome }: { outcome: { state: string } }) => outcome.state === 'given');
    const field = page.getByRole('combobox', { name: 'Search' });
    await page.goto(`${site.app}/links`);
    await tabAndPress(page.getByRole('button', { name: 'Search' }));
    await field.fill(crypto.randomUUID());
    await page.getByText(/^No tap, restore, push or device with this id is kept here/).waitFor({ state: 'attached' });
    await field.fill(tapId);
    await page.getByRole('option', { name: /^Tap on/ }).click();
    const row = page.locator('li[aria-current]');
    await row.getByText(`Tap ${tapId}`).waitFor();
    expect(await row.getByText('Link given', { exact: true }).count()).toBe(1);
  });

  it('answers why nothing came of a tap', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links/${links.get('Poster in the café')!.id}`);
    const taps = page.getByRole('region', { name: 'Taps' }).getByRole('listitem');
    await taps.filter({ hasText: 'Windows' }).locator('summary').click();
    await taps.filter({ hasText: 'Windows' }).getByText('The tap was not on a phone').waitFor();
    await taps.filter({ hasText: 'iOS' }).getByText('Waiting for a first start').waitFor();
    await page.getByText('For the wall', { exact: true }).waitFor();
    await page.frameLocator('iframe').getByText('Café Notes').first().waitFor();
    await untilLoaded(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open in analytics' }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText(/^Link/).waitFor();
  });
});
