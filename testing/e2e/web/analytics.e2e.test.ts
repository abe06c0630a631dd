// The page of analytics, as a marketer uses it: filters by clicking, comparisons, the funnel, the figures of a card.
import { readFile } from 'node:fs/promises';
import { runCommand } from '@landfall/cli/commands';
import type { Locator } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { callsOf } from '../calls.ts';
import { expectAccessible, untilLoaded } from './checks.ts';
import { tabAndPress } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

/** Taps of one campaign, as three people type it. */
const SPELLINGS = ['Spring', 'spring', 'SPRING%20'];

describeWeb('analytics in the web app', {}, (site) => {
  const card = (name: string): Locator => site.page.getByRole('region', { name, exact: true });
  const numbers = async (row: Locator): Promise<number[]> =>
    (await row.getByRole('cell').allTextContents()).slice(1).map((text) => Number(text.replace(/[,%]/g, '')));
  const headline = (name: string): Locator => site.page.getByRole('button', { name: new RegExp(`^${name} `) });
  const open = async (search = '') => {
    await site.page.goto(`${site.app}/analytics${search}`);
    await untilLoaded(site.page);
  };

  /** The link of these taps. Those of the demo data are others. */
  let menu = '';

  beforeAll(async () => {
    const ofApp = `/api/manage${site.app}`;
    const appId = site.app.split('/').at(-1)!;
    const { link } = await callAs(site.tab, 'POST', `${ofApp}/links`, { destination: '/menu' });
    menu = link.id;
    const calls = callsOf(site.web.system);
    for (const [n, spelling] of SPELLINGS.entries())
      await calls.tap(`${link.url}?utm_campaign=${spelling}`, { ip: `203.0.113.${n}` });
    const env = {
      DATABASE_URL: site.web.system.databaseUrl,
      LANDFALL_URL: site.web.url,
      LANDFALL_TOKEN: site.web.system.ownerToken,
    };
    await runCommand(['demo', 'fill', appId, '--clicks', '3000', '--days', '70'], env, () => {});
    await site.web.system.settled();
  }, 60_000);

  it('a row of a card becomes a filter of the whole page, which the address keeps', async () => {
    const { page } = site;
    await open();
    const row = card('Country').getByRole('row').nth(1);
    const name = await row.getByRole('button').textContent();
    const [taps, installs] = await numbers(row);
    await tabAndPress(row.getByRole('button'));
    await page
      .getByRole('list', { name: 'Filters' })
      .getByText(/^Country: /)
      .waitFor();
    await untilLoaded(page);
    expect(await headline('Taps').textContent()).toContain(taps!.toLocaleString('en'));
    expect(await headline('Installs from links').textContent()).toContain(`links${installs!.toLocaleString('en')}`);
    await page.reload();
    await untilLoaded(page);
    expect(name).toContain(await card('Country').getByRole('row').nth(1).getByRole('button').textContent());
    // All cards are about these taps.
    for (const other of ['Device', 'Via']) {
      const rows = await card(other).getByRole('row').all();
      const sums = await Promise.all(rows.slice(1).map(numbers));
      expect(sums.reduce((sum, [n]) => sum + n!, 0)).toBe(taps);
    }
    await tabAndPress(page.getByRole('button', { name: /^Remove the filter Country/ }));
    await page.getByRole('list', { name: 'Filters' }).waitFor({ state: 'detached' });
  });

  it('a filter that a figure does not know has a reason, and cards that a figure cannot have are not there', async () => {
    const { page } = site;
    await open('?filter=["browser:Chrome"]');
    expect(await headline('Opens').textContent()).toContain('Opens have no Browser: the app opens the link by itself');
    await open('?metric=opens');
    await card('Campaign').waitFor();
    expect(await card('Browser').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Figure' }).waitFor();
  });

  it('devices that came back are narrowed by what an install has, and the card names other filters', async () => {
    const installs = async (search: string) => {
      await open(search);
      const cell = card('Who came back')
        .getByRole('row', { name: /^All days/ })
        .getByRole('cell')
        .first();
      return Number((await cell.textContent())!.replace(',', ''));
    };
    const all = await installs('?range=30');
    const ios = await installs('?range=30&filter=["platform:ios","utmCampaign:spring"]');
    await card('Who came back').getByText('So a filter by Campaign does not change it').waitFor();
    expect(ios + (await installs('?range=30&filter=["platform:android"]'))).toBe(all);
    expect(ios).toBeGreaterThan(0);
  });

  it('one campaign is one row, however people type it', async () => {
    const { page } = site;
    await open(`?range=today&filter=["link:${menu}"]`);
    const rows = () => card('Campaign').getByRole('row', { name: /spring/i });
    expect((await numbers(rows().first()))[0]).toBe(3);
    expect(await rows().count()).toBe(1);
    await tabAndPress(page.getByRole('switch', { name: 'Case-sensitive' }), 'Space');
    await expect.poll(() => rows().count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('spelling')).toBe('exact');
  });

  it('the same days have the same figures, however they were chosen', async () => {
    const { page } = site;
    await open();
    const shown = async () => {
      await untilLoaded(page);
      const texts = ['Taps', 'Installs from links', 'Restores', 'Opens'].map((name) => headline(name).textContent());
      return [...(await Promise.all(texts)), await page.getByText(/Days before: [\d,]+\./).textContent()];
    };
    const preset = await shown();
    const timeZone = 'UTC';
    const day = (ago: number) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone }).format(site.web.system.clock() - ago * 86_400_000);
    await open(`?from=${day(29)}&to=${day(0)}`);
    expect(await shown()).toEqual(preset);
    expect(preset.join()).toMatch(/[+-]\d+%/);
  });

  it('compares with last year or with nothing', async () => {
    const { page } = site;
    await open('?compare=none');
    await card('Campaign').getByRole('columnheader', { name: 'Rate' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Change' }).count()).toBe(0);
    await open('?compare=year');
    await page.getByText(/Last year: 0\./).waitFor();
    // The legend says which days these are.
    await open('?compare=month&from=2026-11-01&to=2026-11-10');
    await page
      .getByText(/^Month before \(Oct 1 – 10, 2026\)/)
      .first()
      .waitFor();
  });

  it('the funnel only shrinks, and says how much', async () => {
    await open();
    const steps = await card('From the tap to the app').getByRole('listitem').allTextContents();
    const counts = steps.slice(0, 4).map((text) => Number(/^\D+([\d,]+)/.exec(text)![1]!.replaceAll(',', '')));
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.at(-1)).toBeGreaterThan(0);
    for (const text of steps.slice(1, 4)) expect(text).toMatch(/[\d.]+% of the step before/);
    await expectAccessible(site.page, { whole: true });
  });

  it('all values of a card can be read with each device and mode', async () => {
    await open('?all=link');
    await site.page.getByRole('dialog', { name: 'Link' }).getByRole('table').waitFor();
    await expectAccessible(site.page, { onPhone: true });
  });

  it('all values of a card can be searched and downloaded, with the keyboard alone', async () => {
    const { page } = site;
    await open();
    await tabAndPress(card('Link').getByRole('button', { name: /^Show all/ }));
    const dialog = page.getByRole('dialog', { name: 'Link' });
    await dialog.getByRole('table').waitFor();
    await untilLoaded(page);
    const rows = await dialog.getByRole('row').count();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      tabAndPress(dialog.getByRole('link', { name: 'CSV' })),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toBe('value,name,clicks,attributedInstalls,clicks before,attributedInstalls before');
    expect(lines).toHaveLength(rows);
    const [first] = await numbers(dialog.getByRole('row').nth(1));
    expect(Number(lines[1]!.split(',')[2])).toBe(first);
    const name = await dialog.getByRole('row').nth(2).getByRole('button').textContent();
    await dialog.getByRole('searchbox').fill(name!);
    await expect.poll(() => dialog.getByRole('row').count()).toBe(2);
  });

  it('the values are beside the pointer', async () => {
    const { page } = site;
    await open();
    await page.getByRole('img', { name: /^Taps: / }).hover();
    await page
      .getByText(/^Taps: \d/)
      .nth(1)
      .waitFor();
  });

  it('a figure of the first page leads to its view', async () => {
    const { page } = site;
    await page.goto(site.app);
    await page.getByRole('main').getByRole('link', { name: 'Chart: Restores' }).click();
    await page.getByRole('heading', { name: /^Restores: / }).waitFor();
    expect(new URL(page.url()).searchParams.get('metric')).toBe('restores');
  });

  it('the first page names the best campaigns and links, and leads to their figures', async () => {
    const { page } = site;
    await page.goto(site.app);
    const row = card('Top campaigns of the last 30 days').getByRole('row').nth(1);
    const name = await row.getByRole('link').textContent();
    const [taps] = await numbers(row);
    await row.getByRole('link').click();
    await page.getByRole('list', { name: 'Filters' }).getByText(`Campaign: ${name}`).waitFor();
    await untilLoaded(page);
    expect(await headline('Taps').textContent()).toContain(`Taps${taps!.toLocaleString('en')}`);
    await page.goto(site.app);
    await card('Top links of the last 30 days').getByRole('row').nth(1).getByRole('link').click();
    await page.waitForURL(/\/links\/[\da-f-]{36}$/);
  });

  it('the search finds a campaign by its name, and leads to its figures', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links`);
    await tabAndPress(page.getByRole('button', { name: 'Search' }));
    await page.getByRole('combobox', { name: 'Search' }).fill('SPRI');
    await page.getByRole('option', { name: /^spring/i }).click();
    await page
      .getByRole('list', { name: 'Filters' })
      .getByText(/^Campaign: spring/i)
      .waitFor();
    await untilLoaded(page);
    expect((await numbers(card('Campaign').getByRole('row').nth(1)))[0]).toBeGreaterThan(0);
  });

  it('rows have the days that analytics has, and a file with all of them', async () => {
    const { page } = site;
    await page.goto(`${site.app}/events?range=7&filter=["country:DE"]`);
    const counted = async () =>
      Number(
        /^[\d,]+/
          .exec((await page.getByText(/^[\d,]+ rows? · .* · latest first/).textContent())!)![0]
          .replaceAll(',', ''),
      );
    const few = await counted();
    await page.getByRole('combobox', { name: 'Range' }).click();
    await page.getByRole('option', { name: '30 days' }).click();
    await expect.poll(counted).toBeGreaterThan(few);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^CSV: all [\d,]+ rows$/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^cafe-notes-clicks-[\d-]{10}-to-[\d-]{10}\.csv$/);
    const [heading, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(heading).toMatch(/^at,link,country,/);
    expect(lines).toHaveLength(await counted());
    for (const line of lines) expect(line).toContain(',DE,');
  });

  it('a figure leads to its rows, as many as it says', async () => {
    const { page } = site;
    await open();
    const row = card('Country').getByRole('row').nth(1);
    const [taps] = await numbers(row);
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Taps', exact: true }).waitFor();
    await page
      .getByText(new RegExp(`^${taps!.toLocaleString('en')} rows? · [A-Z][a-z]+ \\d+ – .* · latest first`))
      .waitFor();
    await page
      .getByRole('list', { name: 'Filters' })
      .getByText(/^Country: /)
      .waitFor();
    await untilLoaded(page);
    expect(await page.getByRole('row').count()).toBe(51);
    await tabAndPress(page.getByRole('button', { name: 'More' }));
    await expect.poll(() => page.getByRole('row').count()).toBe(101);
    await page.getByRole('link', { name: 'Back to the figures' }).click();
    await page.getByRole('heading', { name: 'Analytics' }).waitFor();
    await untilLoaded(page);
    expect(await headline('Taps').textContent()).toContain(taps!.toLocaleString('en'));
  });

  it('the steps of the funnel lead to their taps, which can be read with each device and mode', async () => {
    const { page } = site;
    await open();
    const step = card('From the tap to the app').getByRole('listitem').nth(2);
    const [, count] = /^\D+([\d,]+)/.exec((await step.textContent())!)!;
    await tabAndPress(step.getByRole('link', { name: /^Rows/ }));
    await page.getByText(new RegExp(`^${count} rows? · .* · latest first`)).waitFor();
    await untilLoaded(page);
    await expectAccessible(page, { whole: true, onPhone: true });
  });

  it('the best campaign by rate is one click away, and neither one of one nor none is the best', async () => {
    const { page } = site;
    await open('?all=utmCampaign');
    const dialog = page.getByRole('dialog', { name: 'Campaign' });
    await dialog.getByRole('button', { name: 'Rate' }).click();
    await dialog.getByText(/^Values with fewer than 20 taps come last/).waitFor();
    await untilLoaded(page);
    const rows = (await dialog.getByRole('row').all()).slice(1);
    expect(await rows.at(-1)!.getByRole('button').textContent()).toBe('none');
    const figures = await Promise.all(rows.slice(0, -1).map(numbers));
    const enough = figures.filter(([taps]) => taps! >= 20);
    expect(figures.slice(0, enough.length)).toEqual(enough);
    const rates = enough.map(([taps, installs]) => installs! / taps!);
    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
  });

  it('a card with all of its rows is sorted in place by each heading', async () => {
    const { page } = site;
    await open();
    await card('Via').getByRole('button', { name: 'Rate' }).click();
    await card('Via').locator('th[aria-sort="descending"]').filter({ hasText: 'Rate' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    const rows = await Promise.all((await card('Via').getByRole('row').all()).slice(1).map(numbers));
    // A rate of fewer taps says nothing, and comes below all others.
    const rates = rows.map(([taps, installs]) => installs! / taps! - (taps! < 20 ? 1 : 0));
    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    await card('Via').getByRole('button', { name: 'Change' }).click();
    await card('Via').locator('th[aria-sort="descending"]').filter({ hasText: 'Change' }).waitFor();
  });

  it.each(['analytics', 'events'])('a filter is added from a list, with the keyboard alone: %s', async (place) => {
    const { page } = site;
    await page.goto(`${site.app}/${place}`);
    await untilLoaded(page);
    await tabAndPress(page.getByRole('button', { name: 'Add filter' }));
    const focused = (name: string) => page.locator('input:focus').and(page.getByRole('combobox', { name }));
    await focused('Filter by').waitFor();
    await page.keyboard.type('Coun');
    await page.getByRole('option', { name: 'Country' }).waitFor();
    await page.keyboard.press('Enter');
    await page
      .locator('input:focus')
      .and(page.getByRole('combobox', { name: 'Country' }))
      .waitFor();
    await page.keyboard.type('Germ');
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Filters' }).getByText('Country: Germany').waitFor();
    await untilLoaded(page);
  });

  it('the values at a point are there for people without a mouse', async () => {
    const { page } = site;
    await open('?range=7');
    await page.getByRole('img', { name: /^Taps: / }).focus();
    await page.keyboard.press('End');
    const legend = page.getByRole('status').filter({ hasText: 'Taps' });
    const last = await legend.textContent();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => legend.textContent()).not.toBe(last);
  });
});
