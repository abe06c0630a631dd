import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { expectAccessible } from './checks.ts';
import { tabAndPress } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

describeWeb('links in the web app', {}, (site) => {
  const csv = (content: string | Buffer) => ({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });

  it('are imported after a check of every row, with the keyboard alone', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links`);
    await tabAndPress(page.getByRole('button', { name: 'Import' }).first());
    const dialog = page.getByRole('dialog', { name: 'Import links' });
    await dialog.waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      tabAndPress(dialog.getByRole('button', { name: 'File' })),
    ]);
    await chooser.setFiles(csv('ziel\n/a\n'));
    await dialog.getByText('Choose which column is the destination.').waitFor();
    const rows = Array.from({ length: 12 }, (_, n) => `/imported?n=${n},"spring, ${n}",2099-01-31`);
    const faulty = ['no-path,x,', '/late,x,soon'];
    const file = csv(['destination,metadata.campaign,expiresAt', ...rows, ...faulty, ''].join('\r\n'));
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByText('12 rows can be imported. 2 rows have faults.').waitFor();
    await dialog
      .getByRole('row', {
        name: '14 destination: “no-path” is neither a path such as /sale nor an http or https address.',
      })
      .waitFor();
    await expectAccessible(page);
    await tabAndPress(dialog.getByRole('button', { name: 'Import 12 links' }));
    await dialog.getByText('12 links are imported.').waitFor();
    await tabAndPress(dialog.getByRole('button', { name: 'Close' }).last());
    await page
      .getByRole('link', { name: /^\/imported/ })
      .first()
      .waitFor();
    const { links } = await callAs(site.tab, 'GET', `/api/manage${site.app}/links?limit=100`);
    expect(links).toHaveLength(12);
    expect(links[0]).toMatchObject({ metadata: { campaign: 'spring, 11' }, expiresAt: '2099-01-31T00:00:00.000Z' });
  });

  it('are exported with the keyboard alone', async () => {
    const { page } = site;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      tabAndPress(page.getByRole('link', { name: 'CSV' })),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.trim().split('\r\n')).toHaveLength(13);
  });

  /** Makes a second app, so that the links of the first stay as other tests know them. */
  async function makeApp(name: string, timeZone = 'UTC'): Promise<string> {
    const { teams } = await callAs(site.tab, 'GET', '/api/manage/me');
    const body = { teamId: teams[0].id, name, subdomain: name };
    const { app } = await callAs(site.tab, 'POST', '/api/manage/apps', body);
    await callAs(site.tab, 'PATCH', `/api/manage/apps/${app.id}`, { timeZone, labels: ['campaign'] });
    return app.id;
  }

  it('come back equal from an export, with their states, into another app', async () => {
    const { page } = site;
    const from = await makeApp('exported');
    const links = [
      { destination: "/a;=cmd|'/c calc'!A0", metadata: { 'a;b': ';=1\t@x', n: 1.5e200, deep: [{ x: null }] } },
      { destination: '/a;\'=1, "x" “y', archived: true },
      { destination: '/ ends with a space ', metadata: { text: ' \r\n“😀,;|' }, expiresAt: '2020-01-31T18:00:59.999Z' },
      { destination: '/both', expiresAt: '2099-01-31T18:00:59.999Z', archived: true },
    ];
    await callAs(site.tab, 'POST', `/api/manage/apps/${from}/links/import`, { links });
    const file = await page.request.get(`/api/manage/apps/${from}/links/export`);
    const to = await makeApp('imported');
    await page.goto(`/apps/${to}/links`);
    await page.getByRole('button', { name: 'Import', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Import links' });
    await dialog.locator('input[type=file]').setInputFiles(csv(await file.body()));
    await dialog.getByText('Each link gets a new url, id and createdAt.').waitFor();
    await dialog.getByRole('row', { name: '3 the expiry has passed' }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Import 4 links' }).click();
    await dialog.getByText('4 links are imported.').waitFor();
    const stateOf = async (app: string) =>
      (await callAs(site.tab, 'GET', `/api/manage/apps/${app}/links`)).links
        .map(({ destination, metadata, expiresAt, archivedAt }: Record<string, unknown>) =>
          JSON.stringify({ destination, metadata, expiresAt, archived: archivedAt !== null }),
        )
        .sort();
    expect(await stateOf(to)).toEqual(await stateOf(from));
  });

  it('are refused where a row is not certain, and the same rows in another form make nothing twice', async () => {
    const { page } = site;
    const inTokyo = await makeApp('tokyo', 'Asia/Tokyo');
    await page.goto(`/apps/${inTokyo}/links`);
    await page.getByRole('button', { name: 'Import' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Import links' });
    const choose = (content: string | Buffer) => dialog.locator('input[type=file]').setInputFiles(csv(content));
    await choose(Buffer.from('destination,metadata.city\r\n/a,M\xfcnchen\r\n', 'latin1'));
    await dialog.getByText('The file is not in UTF-8 or UTF-16').waitFor();
    await choose('destination,metadata.x\n/a,"abc\n/b,c\n');
    await dialog.getByRole('row', { name: '2 A cell begins with a quote and does not end with one.' }).waitFor();
    await expectAccessible(page);
    expect(await dialog.getByRole('button', { name: 'Import', exact: true }).isEnabled()).toBe(false);
    const faulty = ['/geo?at=52.5,13.4,ada', '/b,“c,', '/c,d,01.02.2027', '/d', '/e,,2027-02-30'];
    const good = ['/tokyo,,2098-01-31', '/tokyo,,2098-01-31 18:00'];
    await choose(['destination,metadata.x,expiresAt', ...faulty, ...good].join('\n'));
    await dialog.getByText('2 rows can be imported. 5 rows have faults.').waitFor();
    await dialog.getByRole('row', { name: '4 expiresAt is “01.02.2027”. This may be two different days' }).waitFor();
    await dialog.getByRole('row', { name: '6 expiresAt must be a day such as 2027-01-31' }).waitFor();
    await choose(['destination,metadata.x,expiresAt', ...good].join('\n'));
    await dialog.getByRole('button', { name: 'Import 2 links' }).click();
    await dialog.getByText('2 links are imported.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Import' }).first().click();
    const again = good.map((row) => row.replaceAll(',', ';').replace('/tokyo', '"/tokyo"'));
    await choose(['\ufeffdestination;metadata.x;expiresAt', ...again].join('\r\n'));
    await dialog.getByText('No row can be imported. 2 links were there already').waitFor();
    await dialog.getByRole('button', { name: 'Get the addresses' }).click();
    await dialog.getByText('No link is new. 2 links were there already').waitFor();
    const { links } = await callAs(site.tab, 'GET', `/api/manage/apps/${inTokyo}/links`);
    expect(links.map(({ expiresAt }: { expiresAt: string }) => expiresAt).sort()).toEqual([
      '2098-01-30T15:00:00.000Z',
      '2098-01-31T09:00:00.000Z',
    ]);
  });

  it('are made once when a person corrects the rows with faults and imports the file again', async () => {
    const { page } = site;
    const corrected = await makeApp('corrected');
    const dialog = page.getByRole('dialog', { name: 'Import links' });
    async function choose(content: string) {
      await page.goto(`/apps/${corrected}/links`);
      await page.getByRole('button', { name: 'Import' }).first().click();
      await dialog.locator('input[type=file]').setInputFiles(csv(content));
    }
    await choose('destination,slug,title\n/plain,,-20 %\n/slug,mine,\nfaulty,,\n');
    await dialog.getByRole('button', { name: 'Import 2 links' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download the new addresses' }).click(),
    ]);
    const result = await readFile(await download.path(), 'utf8');
    await choose(result.replace('\nfaulty,', '\n/faulty,'));
    await dialog.getByText('One row can be imported. 2 links were there already').waitFor();
    await dialog.getByRole('button', { name: 'Import one link' }).click();
    await dialog.getByText('One link is imported. 2 links were there already').waitFor();

    await choose(result);
    await dialog.getByText('No row can be imported. 2 links were there already').waitFor();
    await dialog.getByRole('combobox', { name: 'What title becomes' }).click();
    await page.getByRole('option', { name: 'Note' }).click();
    await dialog.getByRole('button', { name: 'Get the addresses' }).click();
    await dialog.getByRole('row', { name: '2 This row was imported before as a link with other values' }).waitFor();
    await dialog.getByText('No link is new. One link was there already').waitFor();
    const { links } = await callAs(site.tab, 'GET', `/api/manage/apps/${corrected}/links`);
    expect(links.map(({ destination, name }: Record<string, unknown>) => [destination, name]).sort()).toEqual([
      ['/faulty', null],
      ['/plain', '-20 %'],
      ['/slug', null],
    ]);
  });

  it('are archived together, with a way back', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links?state=live`);
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).press(' ');
    await page.getByText('12 links are selected').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Archive' }).press('Enter');
    await page.getByText('12 links are archived.').waitFor();
    await page.getByText('No link matches.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page
      .getByRole('link', { name: /^\/imported/ })
      .first()
      .waitFor();
  });

  it('are edited at the version that was seen', async () => {
    const { page } = site;
    await page
      .getByRole('link', { name: /^\/imported/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Edit' }).click();
    const destination = page.getByRole('textbox', { name: 'Destination' });
    expect(await destination.inputValue()).toMatch(/^\/imported\?n=/);
    expect(await page.getByLabel('Expires').inputValue()).toBe('2099-01-31T00:00');
    await destination.fill('/edited');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The link is changed.').waitFor();
    await page.getByRole('cell', { name: '/edited' }).waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Changed the link').first().waitFor();
    await history.getByText('What changed').first().click();
    await history
      .getByText(/^Destination: \/imported.*→ \/edited$/)
      .first()
      .waitFor();
    await expectAccessible(page);
  });

  it('keep everything that an edit does not touch: seconds, equal hours and spaces', async () => {
    const { page } = site;
    const app = `/apps/${await makeApp('york', 'America/New_York')}`;
    const metadata = { campaign: ' spring ', og_title: ' Hi ', og_description: '', n: 1 };
    // 01:30 comes twice on this day. This is the second one.
    const body = { destination: '/kept ', metadata, expiresAt: '2027-11-07T06:30:59.999Z' };
    const { link } = await callAs(site.tab, 'POST', `/api/manage${app}/links`, body);
    const sent: unknown[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postDataJSON()));
    const edit = async (label: string, text: string) => {
      await page.goto(`${app}/links/${link.id}`);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: label, exact: true }).fill(text);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The link is changed.').waitFor();
    };
    await edit('campaign', 'autumn');
    await edit('Destination', '/moved');
    expect(sent).toEqual([{ metadata: { ...metadata, campaign: 'autumn' } }, { destination: '/moved' }]);
    expect((await callAs(site.tab, 'GET', `/api/manage/links/${link.id}`)).link).toMatchObject({
      destination: '/moved',
      metadata: { ...metadata, campaign: 'autumn' },
      expiresAt: body.expiresAt,
    });
  });

  it('have labels and a preview, which messengers show', async () => {
    const { page } = site;
    await callAs(site.tab, 'PATCH', `/api/manage${site.app}`, { labels: ['campaign'] });
    await page.goto(`${site.app}/links/new`);
    await page.getByRole('textbox', { name: 'Destination' }).fill('/labelled');
    await page.getByRole('textbox', { name: 'Short address' }).fill('labelled');
    await page.getByRole('button', { name: 'Labels and metadata' }).click();
    await page.getByRole('textbox', { name: 'campaign', exact: true }).fill('spring');
    await page.getByRole('button', { name: 'Preview in messages and feeds' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('A table for two');
    await page.getByRole('textbox', { name: 'Text' }).fill('Come on Friday.');
    await page.getByRole('figure', { name: 'Preview' }).getByText('A table for two').waitFor();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('link', { name: 'Open its page' }).click();
    await page.getByText(/^campaign: spring, /).waitFor();
    const url = await page
      .getByText(/^http:\/\/.*\/labelled$/)
      .first()
      .textContent();
    const shown = await site.web.system.tap(url!, { userAgent: 'WhatsApp/2.23.20.0' });
    expect(shown.text).toContain('<meta property="og:title" content="A table for two">');

    await page.getByRole('link', { name: 'Edit' }).click();
    expect(await page.getByRole('textbox', { name: 'campaign', exact: true }).inputValue()).toBe('spring');
    await page.getByRole('textbox', { name: 'Title' }).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The link is changed.').waitFor();
    expect((await site.web.system.tap(url!, { userAgent: 'WhatsApp/2.23.20.0' })).text).toContain(
      'content="Come on Friday."',
    );
    // The history has its creation and the edit.
    await expect.poll(() => page.getByText('og_title').count()).toBe(2);
  });

  it('have columns that the browser remembers', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links`);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Metadata' }).click();
    await page.getByRole('columnheader', { name: 'Metadata' }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('columnheader', { name: 'Metadata' }).waitFor();
  });
});
