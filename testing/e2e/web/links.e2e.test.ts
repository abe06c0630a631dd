import { readFile } from 'node:fs/promises';
import { describeWithProgram } from '@landfall/testkit/scale-out';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noBrowser } from './chromium.ts';
import type { Tab } from './open-tabs.ts';
import { callAs, expectAccessible, setUp, startWeb, tabAndPress, type Web } from './web.ts';

describeWithProgram(noBrowser(), 'links in the web app', () => {
  let web: Web;
  let tab: Tab;
  let app: string;
  beforeAll(async () => {
    web = await startWeb();
    tab = await web.open();
    app = await setUp(web, tab);
  });
  afterAll(() => web.stop());

  const csv = (text: string) => ({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  it('are imported after a check of every row, with the keyboard alone', async () => {
    const { page, faults } = tab;
    await page.goto(`${app}/links`);
    await tabAndPress(page.getByRole('button', { name: 'Import' }));
    const dialog = page.getByRole('dialog', { name: 'Import links' });
    await dialog.waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      tabAndPress(dialog.getByRole('button', { name: 'File' })),
    ]);
    await chooser.setFiles(csv('link\n/a\n'));
    await dialog.getByText('no column named destination').waitFor();
    const rows = Array.from({ length: 40 }, (_, n) => `/imported?n=${n},"spring, ${n}",2099-01-31`);
    const faulty = ['no-path,x,', '/late,x,soon'];
    const file = csv(['destination,metadata.campaign,expiresAt', ...rows, ...faulty, ''].join('\r\n'));
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByText('40 rows can be imported. 2 rows have faults.').waitFor();
    await dialog.getByRole('row', { name: '42 destination must be a relative path' }).waitFor();
    await expectAccessible(page);
    await tabAndPress(dialog.getByRole('button', { name: 'Import 40 links' }));
    await dialog.getByText('40 links are imported.').waitFor();
    await tabAndPress(dialog.getByRole('button', { name: 'Close' }).last());
    await page.getByRole('link', { name: /^\d+-/ }).first().waitFor();
    const { links } = await callAs(tab, 'GET', `/api/manage${app}/links?limit=100`);
    expect(links).toHaveLength(40);
    expect(links[0]).toMatchObject({ metadata: { campaign: 'spring, 39' }, expiresAt: '2099-01-31T00:00:00.000Z' });
    expect(faults).toEqual([]);
  });

  it('are exported with the keyboard alone, and the export can be imported', async () => {
    const { page } = tab;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      tabAndPress(page.getByRole('link', { name: 'CSV' })),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.trim().split('\r\n')).toHaveLength(41);
    await page.getByRole('button', { name: 'Import' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Import links' });
    await dialog.locator('input[type=file]').setInputFiles(csv(text));
    await dialog.getByText('40 rows can be imported.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('are archived together, with a way back', async () => {
    const { page, faults } = tab;
    await page.goto(`${app}/links?state=live`);
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).press(' ');
    await page.getByText('40 links are selected').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Archive' }).press('Enter');
    await page.getByText('40 links are archived.').waitFor();
    await page.getByText('No link matches.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('link', { name: /^\d+-/ }).first().waitFor();
    expect(faults).toEqual([]);
  });

  it('are edited at the version that was seen', async () => {
    const { page, faults } = tab;
    await page.getByRole('link', { name: /^\d+-/ }).first().click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const destination = page.getByRole('textbox', { name: 'Destination' });
    expect(await destination.inputValue()).toMatch(/^\/imported\?n=/);
    expect(await page.getByLabel('Expires').inputValue()).toBe('2099-01-31T00:00');
    await destination.fill('/edited');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The link is changed.').waitFor();
    await page.getByRole('cell', { name: '/edited' }).waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Edit link').first().waitFor();
    await history.getByText('What changed').first().click();
    await history
      .getByText(/^destination: "\/imported.*→ "\/edited"$/)
      .first()
      .waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('have labels and a preview, which messengers show', async () => {
    const { page, faults } = tab;
    await callAs(tab, 'PATCH', `/api/manage${app}`, { labels: ['campaign'] });
    await page.goto(`${app}/links?create=true`);
    const dialog = page.getByRole('dialog', { name: 'New link' });
    await dialog.getByRole('textbox', { name: 'Destination' }).fill('/labelled');
    await dialog.getByRole('textbox', { name: 'campaign' }).fill('spring');
    await dialog.getByRole('button', { name: 'Preview in messages and feeds' }).click();
    await dialog.getByRole('textbox', { name: 'Title' }).fill('A table for two');
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Come on Friday.');
    await dialog.getByRole('figure', { name: 'Preview' }).getByText('A table for two').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('"campaign": "spring"').waitFor();
    const url = await page.getByText(/^http:\/\/.*\/\d+-\w+$/).textContent();
    const shown = await web.system.tap(url!, { userAgent: 'WhatsApp/2.23.20.0' });
    expect(shown.text).toContain('<meta property="og:title" content="A table for two">');

    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByRole('textbox', { name: 'campaign' }).inputValue()).toBe('spring');
    await page.getByRole('textbox', { name: 'Title' }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The link is changed.').waitFor();
    expect((await web.system.tap(url!, { userAgent: 'WhatsApp/2.23.20.0' })).text).toContain(
      'content="Come on Friday."',
    );
    expect(await page.getByText('og_title').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('have columns that the browser remembers', async () => {
    const { page, faults } = tab;
    await page.goto(`${app}/links`);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Metadata' }).click();
    await page.getByRole('columnheader', { name: 'Metadata' }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('columnheader', { name: 'Metadata' }).waitFor();
    expect(faults).toEqual([]);
  });
});
