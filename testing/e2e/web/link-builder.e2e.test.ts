import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, untilLoaded } from './checks.ts';
import type { Tab } from './chromium.ts';
import { moveAndChoose, tabAndPress, untilFocused } from './keyboard.ts';
import { callAs, describeWeb, OWNER } from './web.ts';

describeWeb('the form of a link', {}, (site) => {
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const utm = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
  const links = async () => (await callAs(site.tab, 'GET', `/api/manage${site.app}/links?limit=100`)).links;

  it('takes any pasted page and a template, and asks about a value that is written in two ways', async () => {
    const { page } = site;
    const settings = { webFallbackUrl: 'https://shop.example.com', labels: ['inviter'] };
    await callAs(site.tab, 'PATCH', `/api/manage${site.app}`, settings);
    await callAs(site.tab, 'POST', `/api/manage${site.app}/utm-templates`, {
      name: 'Newsletter',
      utm: { source: 'newsletter', medium: 'email', campaign: 'spring_sale' },
    });
    await page.goto(`${site.app}/links/new`);
    await untilFocused(field(page, 'Destination'));
    await page.keyboard.type('shop.example.com/sale?id=1&utm_term=tulips');
    await page.keyboard.press('Tab');
    expect(await field(page, 'Destination').inputValue()).toBe('/sale?id=1');
    expect(await utm(page, 'Term').inputValue()).toBe('tulips');
    await page.keyboard.type('Spring, header');
    await tabAndPress(utm(page, 'Template'), 'ArrowDown');
    await moveAndChoose(page.getByRole('option', { name: 'Newsletter' }), 'ArrowDown');
    await utm(page, 'Campaign').fill(' Spring-Sale');
    await utm(page, 'Campaign').blur();
    await page.getByText('spring-sale and spring_sale are two values in analytics.').waitFor();
    await page.getByRole('button', { name: 'Use spring_sale' }).press('Enter');
    await page
      .getByText('/sale?id=1&utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale&utm_term')
      .waitFor();
    await utm(page, 'Tags').fill('Spring,Poster');
    await expectAccessible(page, { whole: true, onPhone: true });
  });

  it('makes the link and two more like it, with the keyboard alone', async () => {
    const { page } = site;
    await page.keyboard.press('Control+Enter');
    await page.getByText('Spring, header is made').waitFor();
    await expectAccessible(page);
    for (const name of ['Spring, footer', 'Spring, poster']) {
      await untilFocused(page.getByRole('button', { name: 'Create another like this' }));
      await page.keyboard.press('Enter');
      // A copy has the name with the next number.
      expect(await field(page, 'Name').inputValue()).toMatch(/^Spring, (header|footer) 2$/);
      await field(page, 'Name').fill(name);
      await page.keyboard.press('Control+Enter');
      await page.getByText(`${name} is made`).waitFor();
    }
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('y');
    await page.getByText('Copied').first().waitFor();
    const made = await links();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(made[0].url);
    expect(made.map(({ name }: { name: string }) => name)).toEqual([
      'Spring, poster',
      'Spring, footer',
      'Spring, header',
    ]);
    for (const { slug, destination, tags } of made) {
      expect(slug).toMatch(/^[2-9a-z]{7}$/);
      expect(destination).toBe(
        '/sale?id=1&utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale&utm_term=tulips',
      );
      expect(tags).toEqual(['spring', 'poster']);
    }
    const rows = page.getByRole('region', { name: 'Made here' }).getByRole('row');
    expect(await rows.count()).toBe(4);
  });

  it('gives three free addresses for one that is taken', async () => {
    const { page } = site;
    const path = `/api/manage${site.app}/links`;
    await callAs(site.tab, 'POST', path, { destination: '/taken', slug: 'sale' });
    await page.goto(`${site.app}/links/new`);
    await field(page, 'Destination').fill('/second');
    await field(page, 'Short address').fill('SALE');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('Another link of the app has this address.').waitFor();
    const free = page.getByRole('group', { name: 'These are free:' }).getByRole('button');
    expect(await free.count()).toBe(3);
    await expectAccessible(page);
    const slug = await free.first().textContent();
    await free.first().press('Enter');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('/second is made').waitFor();
    expect((await links())[0]).toMatchObject({ slug, destination: '/second' });
  });

  it('says while a person types whether the short address is valid and free', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links/new`);
    await field(page, 'Short address').fill('spring.sale');
    await page.getByText('“.” cannot be in it.').waitFor();
    await page.getByText('/spring.sale (not valid)').waitFor();
    expect(await page.getByAltText(/spring\.sale/).count()).toBe(0);
    await expectAccessible(page);
    await field(page, 'Short address').fill('sale');
    await page.getByText('Another link of the app has this address.').waitFor();
    await page.getByText('/sale (not free)').waitFor();
    await field(page, 'Short address').fill('spring-sale');
    await page.getByText('Another link of the app has this address.').waitFor({ state: 'detached' });
    await page.getByAltText(/spring-sale/).waitFor();
  });

  /** A tab with a draft, and its browser. */
  let drafting: Tab;

  it('keeps a draft over a reload, and one for each tab', async () => {
    drafting = await site.web.open();
    const { page, context } = drafting;
    await context.addCookies(await site.tab.context.cookies());
    await page.goto(`${site.app}/links/new`);
    await field(page, 'Destination').fill('/drafted');
    await field(page, 'Name').fill('Left');
    await page.waitForURL(/draft=/);
    const other = await context.newPage();
    await other.goto(`${site.app}/links/new`);
    await other.getByRole('region', { name: 'Not finished yet' }).getByText('Left').waitFor();
    await expectAccessible(other);
    await field(other, 'Destination').fill('/other');
    await field(other, 'Name').fill('Right');
    await other.waitForURL(/draft=/);
    // A tab in the background draws nothing.
    await page.bringToFront();
    await page.reload();
    expect(await field(page, 'Name').inputValue()).toBe('Left');
    expect(await field(page, 'Destination').inputValue()).toBe('/drafted');
  });

  it('keeps a draft over a lost session', async () => {
    const { page, context } = drafting;
    await untilLoaded(page);
    // The session ends in another way than by the button: the next request says so.
    await context.clearCookies();
    // The click or the preview asks first. Then the page leads to the sign-in.
    void page
      .getByRole('button', { name: 'Create the link' })
      .click()
      .catch(() => {});
    await page.waitForURL(/\/sign-in/);
    await page.getByRole('textbox', { name: 'Email' }).fill(OWNER.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'New link' }).waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Left');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('Left is made').waitFor();
  });

  it('continues the draft of another tab, and has none of what is made', async () => {
    const { page } = drafting;
    await page.goto(`${site.app}/links/new`);
    const drafts = page.getByRole('region', { name: 'Not finished yet' });
    await drafts.getByText('Right').waitFor();
    expect(await drafts.getByText('Left').count()).toBe(0);
    await drafts.getByRole('button', { name: 'Continue Right' }).click();
    expect(await field(page, 'Destination').inputValue()).toBe('/other');
  });

  it('warns of a person behind a short address, and shows the real preview', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links/new`);
    await field(page, 'Destination').fill('https://other.example/a?x=1&utm_source=a');
    await page.getByRole('button', { name: 'Labels and metadata' }).click();
    await field(page, 'inviter').fill('ann@example.com');
    await page.getByText('inviter may tell who somebody is').waitFor();
    await field(page, 'Short address').fill('');
    await page.getByText('inviter may tell who somebody is').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add a key' }).click();
    await field(page, 'Key 1').fill('color');
    await field(page, 'Value 1').fill('blue');
    await page.getByRole('switch', { name: 'Edit as JSON' }).press(' ');
    await page.getByRole('textbox', { name: 'Metadata as JSON' }).fill('{"color": "red", "n": 5, "inviter": "ann"}');
    await page.getByRole('button', { name: 'Preview in messages and feeds' }).click();
    await field(page, 'Title').fill('A table for two');
    await page.getByRole('figure', { name: 'Preview' }).getByText('A table for two').waitFor();
    await untilLoaded(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText(/ is made$/).waitFor();
    expect((await links())[0]).toMatchObject({
      slug: expect.stringMatching(/^\d{13}-/),
      destination: '/a?x=1&utm_source=a',
      webUrl: 'https://other.example/a?x=1',
      metadata: { color: 'red', n: 5, inviter: 'ann', og_title: 'A table for two' },
    });
  });

  it('tells a change of somebody else, and keeps both', async () => {
    const { page } = site;
    const { link } = await callAs(site.tab, 'POST', `/api/manage${site.app}/links`, {
      destination: '/v1',
      name: 'Old',
    });
    await page.goto(`${site.app}/links/${link.id}/edit`);
    await field(page, 'Name').fill('Mine');
    await callAs(site.tab, 'PATCH', `/api/manage/links/${link.id}`, { note: 'Theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Show the latest version with my changes' }).click();
    await page.getByRole('textbox', { name: 'Note' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Theirs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The link is changed.').waitFor();
    expect((await callAs(site.tab, 'GET', `/api/manage/links/${link.id}`)).link).toMatchObject({
      name: 'Mine',
      note: 'Theirs',
    });
  });

  it('duplicates a link under a new address', async () => {
    const { page } = site;
    const [{ id, slug }] = await links();
    await page.goto(`${site.app}/links/${id}`);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { level: 1, name: 'New link' }).waitFor();
    expect(await field(page, 'Destination').inputValue()).toBe('/v1');
    expect(await field(page, 'Short address').inputValue()).not.toBe(slug);
  });

  describe('a file', () => {
    const choose = (name: string, content: string) =>
      site.page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
    const importing = async () => {
      await site.page.goto(`${site.app}/links?import=true`);
      return site.page.getByRole('dialog', { name: 'Import links' });
    };

    it('of Dub is imported, and comes back with the new addresses', async () => {
      const { page } = site;
      const dialog = await importing();
      const rows = ['https://dub.sh/Dubbed,https://shop.example.com/d?x=1,7,2026-01-02,"a, b",false'];
      await choose(
        'dub.csv',
        ['link,url,clicks,createdAt,tags,archived', ...rows, 'https://dub.sh/bb,nowhere,,,,'].join('\n'),
      );
      await dialog.getByText('One row can be imported. One row has a fault.').waitFor();
      await dialog.getByRole('row', { name: '3 url: “nowhere” is neither a path' }).waitFor();
      expect(await dialog.getByRole('combobox', { name: 'What clicks becomes' }).inputValue()).toBe('Not imported');
      await expectAccessible(page, { onPhone: true });
      await dialog.getByRole('button', { name: 'Import one link' }).click();
      await dialog.getByText('One link is imported.').waitFor();
      await expectAccessible(page);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('link', { name: 'Download the new addresses' }).click(),
      ]);
      const [header, made, refused] = (await readFile(await download.path(), 'utf8')).split('\r\n');
      const [link] = await links();
      expect(link).toMatchObject({ slug: 'Dubbed', destination: '/d?x=1', tags: ['a', 'b'] });
      expect(header).toBe('\ufefflink,url,clicks,createdAt,tags,archived,new url,new slug,error');
      expect(made).toBe(`${rows[0]},${link.url},Dubbed,`);
      expect(refused).toMatch(/^https:\/\/dub\.sh\/bb,nowhere,,,,,,,"?url: “nowhere” is neither a path/);
    });

    it('of Bitly is imported', async () => {
      const dialog = await importing();
      await choose('bitly.csv', 'Long URL,Custom back-half,Title\nhttps://other.example/bitly,bitly-1,From Bitly\n');
      await dialog.getByRole('button', { name: 'Import one link' }).click();
      await dialog.getByText('One link is imported.').waitFor();
      expect((await links())[0]).toMatchObject({
        slug: 'bitly-1',
        name: 'From Bitly',
        destination: '/bitly',
        webUrl: 'https://other.example/bitly',
      });
    });

    it('of a spreadsheet asks for what is not certain', async () => {
      const dialog = await importing();
      await choose('sheet.csv', 'Ziel;Campaign;Bis;Kunde\n/sheet;Spring Sale;01.02.2099;x\n');
      await dialog.getByText('Choose which column is the destination.').waitFor();
      const becomes = async (column: string, what: string) => {
        await dialog.getByRole('combobox', { name: `What ${column} becomes` }).click();
        await site.page.getByRole('option', { name: what, exact: true }).click();
      };
      await becomes('Ziel', 'Destination');
      await becomes('Bis', 'Expiry');
      await becomes('Kunde', 'Metadata, key Kunde');
      await dialog.getByText('Bis is “01.02.2099”. This may be two different days').waitFor();
      await expectAccessible(site.page);
      await dialog.getByRole('combobox', { name: 'Order of days' }).click();
      await site.page.getByRole('option', { name: 'Day, month, year' }).click();
      await dialog.getByRole('button', { name: 'Import one link' }).click();
      await dialog.getByText('One link is imported.').waitFor();
      expect((await links())[0]).toMatchObject({
        destination: '/sheet?utm_campaign=spring-sale',
        expiresAt: '2099-02-01T00:00:00.000Z',
        metadata: { Kunde: 'x' },
      });
    });
  });
});
