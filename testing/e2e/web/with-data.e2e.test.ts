import { runCommand } from '@landfall/cli/commands';
import { beforeAll, expect, it } from 'vitest';
import { callsOf } from '../calls.ts';
import { expectAccessible, expectFits, expectShown, expectStill, untilLoaded } from './checks.ts';
import { tabAndPress, tabTo } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

const LINKS = 100_000;
const PART = 10_000;

describeWeb('the pages with data', {}, (site) => {
  beforeAll(async () => {
    const ofApp = `/api/manage${site.app}`;
    const appId = site.app.split('/').at(-1)!;
    await callAs(site.tab, 'PATCH', ofApp, { labels: ['campaign'], matching: { existingUsers: false } });
    const { plaintext: key } = await callAs(site.tab, 'POST', `${ofApp}/keys`, {
      label: 'A rather long label of a key',
    });
    const { link } = await callAs(site.tab, 'POST', `${ofApp}/links`, { destination: `/${'long/'.repeat(60)}` });
    const calls = callsOf(site.web.system);
    for (const ip of ['203.0.113.7', '203.0.113.8']) {
      await calls.tap(link.url, { ip });
      const headers = { host: new URL(site.web.url).host, 'x-openlynk-sdk-key': key };
      const body = { appId, deviceFingerprint: `device of ${ip}`, platform: 'android' };
      for (const path of ['install-heartbeat', 'restore'])
        await site.web.system.send({ method: 'POST', path: `/api/deferred-deep-linking/${path}`, ip, headers, body });
    }
    // In parts: one statement for all may take longer than a statement may.
    for (let from = 1; from <= LINKS; from += PART) {
      await site.database.rows(
        `insert into link.links
           select gen_random_uuid(), $1, 'x' || n || '-' || md5(n::text), '/product/' || n, '{"campaign": "spring"}',
             sha256(n::text::bytea), now() - n * interval '1 minute', case when n % 10 = 0 then now() end,
             case when n % 7 = 0 then now() end, 1
           from generate_series($2::int, $3::int) n`,
        [appId, from, from + PART - 1],
      );
    }
    const env = {
      DATABASE_URL: site.web.system.databaseUrl,
      LANDFALL_URL: site.web.url,
      LANDFALL_TOKEN: site.web.system.ownerToken,
    };
    await runCommand(['demo', 'fill', appId, '--clicks', '400', '--days', '20', '--no-phones'], env, () => {});
    await site.web.system.settled();
  }, 60_000);

  it.each([
    ['', 'Café Notes'],
    ['/analytics', 'Analytics'],
    ['/keys', 'Keys'],
    ['/audit?team=true', 'Audit log'],
  ])('%s is accessible, does not move, and cuts nothing off', async (path, heading) => {
    const { page } = site;
    await page.goto(site.app + path);
    // A page with a table has another layout on a phone.
    await expectShown(page, heading, { onPhone: /^\/(keys|audit)/.test(path) });
  });

  it.each([
    ['/links?state=archived', 'Links'],
    ['/analytics?metric=opens&range=24h&compare=year', 'Analytics'],
    ['/analytics?from=2026-11-01&to=2026-11-20&filter=["country:DE","matchType:"]&metric=restores', 'Analytics'],
  ])('%s is, too', async (path, heading) => {
    await site.page.goto(site.app + path);
    await expectShown(site.page, heading, { whole: false });
  });

  // The suites of these pages check their rows with axe.
  it.each([
    ['/links', 'Links'],
    ['/restores', 'Restores'],
  ])('%s does not move, and cuts nothing off', async (path, heading) => {
    const { page } = site;
    await page.goto(site.app + path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await untilLoaded(page);
    await expectStill(page);
    await expectFits(page);
  });

  it('explains a restore, with the keyboard alone', async () => {
    const { page } = site;
    await page.goto(site.app);
    await tabAndPress(page.getByRole('link', { name: 'Restores', exact: true }));
    const row = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'Link given by network address' })
      .filter({ hasText: '/long' })
      .first();
    await row.getByText(/^Tapped (in the same second|\d+ seconds? earlier) at this address/).waitFor();
    await tabAndPress(row.locator('summary'));
    await tabAndPress(row.getByRole('link', { name: /^\/long/ }).first());
    await page.getByRole('img', { name: /^QR code of http/ }).waitFor();
  });

  it('compare other settings of matching with what was given, and save them, with the keyboard alone', async () => {
    const { page } = site;
    await page.goto(`${site.app}/matching`);
    await tabAndPress(page.getByRole('button', { name: 'Advanced' }));
    const minutes = page.getByRole('textbox', { name: 'Minutes after the tap', exact: true });
    const compare = page.getByRole('button', { name: 'Compare with the last 30 days' });
    await tabAndPress(minutes, 'Control+A');
    await page.keyboard.type('121');
    await page.getByText('This is 2 hours 1 minute.').waitFor();
    await tabAndPress(compare);
    await page.getByText('Enter 120 or less.').waitFor();
    await tabAndPress(minutes, 'Control+A');
    await page.keyboard.type('0');
    await tabAndPress(compare);
    await page.getByText(/^Of \d+ restores with a tap, \d+ got a link; with these settings, \d+\.$/).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /: loses its link, tapped / })
      .first()
      .getByRole('link', { name: /^\/(long|short|product)/ })
      .waitFor();
    await expectAccessible(page);
    await tabAndPress(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('The settings of matching are saved.').waitFor();
    await page.getByRole('radio', { name: 'Numbers of your own' }).waitFor();
    expect(await minutes.inputValue()).toBe('0');
  });

  it('find one of 100,000 links', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links`);
    await page.getByRole('row').first().waitFor();
    await tabTo(page.getByRole('searchbox'));
    await page.keyboard.type('/product/99999');
    await page.getByRole('row', { name: /\/product\/99999/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  it('load more links when the person scrolls, and keep few of them in the page', async () => {
    const { page } = site;
    await page.goto(`${site.app}/links`);
    await page.locator('[aria-rowcount="101"]').waitFor();
    const table = page.getByRole('table');
    await page.keyboard.press('End');
    await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(200);
    expect(await page.getByRole('row').count()).toBeLessThan(80);
  });
});
