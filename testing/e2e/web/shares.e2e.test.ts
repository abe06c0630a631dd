// Sharing: a member shares what the page of analytics shows, and somebody without an account sees the same.
// Full run: its routes have tests over HTTP.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '@landfall/cli/commands';
import { builtWebApp } from '@landfall/dashboard/build';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, expectShown, untilLoaded } from './checks.ts';
import { tabAndPress } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

const PASSWORD = 'tulips in november';
/** Bytes of JavaScript, compressed, that a viewer's browser loads. The app needs twice as much. */
const MOST_FOR_VIEWERS = 125_000;

describeWeb('shares in the web app', {}, (site) => {
  const figures = ['Taps', 'Installs from links', 'Restores', 'Opens'];
  const ofApp = () => `/api/manage${site.app}`;
  const view = {
    range: '30',
    compare: 'previous',
    figures: ['clicks', 'opens'],
    cards: ['country', 'link'],
    funnel: true,
  };
  const shareBy = (body: object) => callAs(site.tab, 'POST', `${ofApp()}/shares`, { name: 'Autumn', view, ...body });
  /** The rows of a card, with all of their figures. */
  const rowsOf = async (card: Locator): Promise<string[][]> => {
    const rows = await card.evaluate((node) =>
      [...node.querySelectorAll('tbody tr')].map((row) =>
        [...row.children].map(({ textContent }) => textContent ?? ''),
      ),
    );
    return rows.map((row) => row.map((text) => text.replace('no change is known', '').trim()));
  };
  const headlineOf = async (page: Page, name: string): Promise<string> => {
    const title = page.getByRole('main').getByText(name, { exact: true }).first();
    // Apart from the change beside it, which begins with a number when nothing has changed.
    const texts = await title.locator('..').evaluate((node) => {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (walker.nextNode()) found.push(walker.currentNode.textContent ?? '');
      return found;
    });
    return texts.find((text) => /^[\d,]+$/.test(text))!;
  };

  beforeAll(async () => {
    const appId = site.app.split('/').at(-1)!;
    const env = {
      DATABASE_URL: site.web.system.databaseUrl,
      LANDFALL_URL: site.web.url,
      LANDFALL_TOKEN: site.web.system.ownerToken,
    };
    await runCommand(['demo', 'fill', appId, '--clicks', '2000', '--days', '70'], env, () => {});
    await site.web.system.settled();
  }, 60_000);

  let address = '';

  it('two presses copy an address', async () => {
    const { page, context } = site.tab;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${site.app}/analytics?range=7&filter=["platform:ios"]`);
    await untilLoaded(page);
    await tabAndPress(page.getByRole('button', { name: 'Share', exact: true }));
    await page.getByRole('button', { name: 'Create and copy the address' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Password and more options' }).click();
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('tulips');
    await page.getByRole('button', { name: 'Create and copy the address' }).click();
    await page.getByText('Use at least 10 characters, or leave it empty.').waitFor();
    await password.fill('');
    await page.getByRole('button', { name: 'Create and copy the address' }).click();
    await page.getByText('The address is copied').waitFor();
    address = await page.evaluate(() => navigator.clipboard.readText());
    expect(address).toMatch(new RegExp(`^${site.web.url}/share#lfs_[0-9a-f]{32}$`));
    await page.getByRole('button', { name: 'Done', exact: true }).click();
  });

  it('whoever opens the address sees the figures of the page', async () => {
    const { page } = site;
    const own = await Promise.all(figures.map((name) => headlineOf(page, name)));
    const cards = ['Campaign', 'Link', 'Country', 'Device', 'Browser'];
    const ownRows = await Promise.all(cards.map((name) => rowsOf(page.getByRole('region', { name, exact: true }))));
    const funnel = page.getByRole('region', { name: 'From the tap to the app' }).getByRole('listitem');
    // Rows are for the team, too.
    const ownSteps = (await funnel.allTextContents()).slice(0, 4).map((text) => text.replace(/ Rows$/, ''));

    const { page: viewer } = await site.web.open();
    await viewer.goto(address);
    await viewer.getByRole('heading', { level: 1, name: 'Café Notes: Taps' }).waitFor();
    await untilLoaded(viewer);
    expect(await Promise.all(figures.map((name) => headlineOf(viewer, name)))).toEqual(own);
    // The team reads the destination of a link without a name. Viewers get its slug, and never a destination.
    const forViewers = ([title = '', ...numbers]: string[]) => [
      title.startsWith('/') ? expect.stringMatching(/^[^/]+$/) : title,
      ...numbers,
    ];
    for (const [i, name] of cards.entries()) {
      const rows = await rowsOf(viewer.getByRole('region', { name, exact: true }));
      expect([name, rows]).toEqual([name, ownRows[i]!.map(forViewers)]);
    }
    const steps = viewer.getByRole('region', { name: 'From the tap to the app' }).getByRole('listitem');
    expect(await steps.allTextContents()).toEqual(ownSteps);
    expect(ownRows[2]!.length).toBeGreaterThan(3);
    expect(await viewer.context().cookies()).toEqual([]);
  });

  it('a value that is pressed narrows all that is shown', async () => {
    const { url } = await shareBy({});
    const { page: viewer } = await site.web.open();
    await viewer.goto(url);
    await untilLoaded(viewer);
    await expectAccessible(viewer, { whole: true, onPhone: true });
    const row = viewer.getByRole('region', { name: 'Country', exact: true }).getByRole('row').nth(1);
    const [taps] = await row.getByRole('cell').allTextContents();
    await row.getByRole('button').click();
    await viewer.getByRole('button', { name: /^Remove the filter Country/ }).waitFor();
    await expect.poll(() => headlineOf(viewer, 'Taps')).toBe(taps);
    await expectAccessible(viewer);
  });

  it('a figure that a filter leaves out says why', async () => {
    const { url } = await shareBy({ view: { ...view, filter: ['browser:Chrome'] } });
    const { page: viewer } = await site.web.open();
    await viewer.goto(url);
    await viewer.getByText('Opens have no Browser:').waitFor();
  });

  it('a password is asked for, and a wrong one opens nothing', async () => {
    const { url } = await shareBy({ password: PASSWORD });
    const { page: viewer } = await site.web.open();
    const errors: string[] = [];
    viewer.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
    await viewer.goto(url);
    await viewer.getByRole('heading', { name: 'These figures have a password' }).waitFor();
    await viewer.getByText('Café Notes', { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await expectAccessible(viewer, { whole: true, onPhone: true });
    // The page asks for nothing else, so the field has the focus.
    await viewer.keyboard.type('daffodils in june');
    await viewer.getByRole('button', { name: 'Open' }).click();
    await viewer.getByText('This is not the password.').waitFor();
    await viewer.getByLabel('Password').fill(PASSWORD);
    await viewer.keyboard.press('Enter');
    await viewer.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor();
    await untilLoaded(viewer);
  });

  it('the list says who made it and when it ends, and a revoked one is gone', async () => {
    const { url } = await shareBy({ name: 'Last quarter 🌷 '.repeat(5).trim() });
    const { page: viewer } = await site.web.open();
    await viewer.goto(url);
    await untilLoaded(viewer);
    const { page } = site;
    await page.goto(`${site.app}/shares`);
    await expectShown(page, 'Shares', { onPhone: true });
    const row = page.getByRole('row', { name: /Last quarter/ });
    expect(await row.textContent()).toContain('ada');
    await row.getByText('Made', { exact: false }).getByRole('time').waitFor();
    await tabAndPress(row.getByRole('button', { name: /^Revoke Last quarter/ }));
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    // The next question of the open page is refused.
    await viewer.getByLabel('Range').selectOption('7 days');
    await viewer.getByRole('heading', { name: 'There is nothing here any more' }).waitFor();
    await viewer.reload();
    await viewer.getByRole('heading', { name: 'There is nothing here any more' }).waitFor();
    await expectAccessible(viewer);
    await viewer.goto(`${site.web.url}/share#lfs_`);
    await viewer.getByRole('heading', { name: 'This address is not whole' }).waitFor();
  });

  it('the audit log says what a share shows, in the words of the pages', async () => {
    await shareBy({ view: { ...view, filter: ['utmCampaign:holiday'] } });
    const { page } = site;
    await page.goto(`${site.app}/audit`);
    await page.getByText('What changed').first().click();
    for (const text of [
      'Range: 30 days',
      'Filters: Campaign: holiday',
      'Case-sensitive: no',
      'Figures at the top: Taps, Opens',
      'Cards: Country, Link',
      'Viewers may choose fewer days and filter: yes',
    ])
      await page.getByRole('listitem').getByText(text, { exact: true }).first().waitFor();
    await expectAccessible(page, { onPhone: true });
  });

  it('only sites that it names may hold it in a frame', async () => {
    const { embedUrl, share } = await shareBy({ options: { origins: ['https://wiki.example'] } });
    const { url: unframed } = await shareBy({});
    const { page: viewer } = await site.web.open();
    // The page of the test is no page of this machine to the browser, and the share is.
    await viewer.context().grantPermissions(['local-network-access']);
    const frame = async (host: string, src: string) => {
      await viewer.route(`https://${host}/**`, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><title>x</title><iframe allow="local-network-access" src="${src}"></iframe>
            <script>addEventListener('message', ({ data }) => { document.title = data.height; });</script>`,
        }),
      );
      await viewer.goto(`https://${host}/`);
      return viewer.frameLocator('iframe').getByRole('heading', { level: 1, name: 'Autumn' });
    };
    await (await frame('wiki.example', embedUrl)).waitFor();
    await expect.poll(async () => Number(await viewer.title())).toBeGreaterThan(300);
    expect(site.web.faults).toEqual([]);
    const policyOf = async (path: string) => {
      const { headers } = await site.web.system.send({
        path,
        headers: { host: new URL(site.web.url).host, accept: 'text/html' },
      });
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
      expect(headers['referrer-policy']).toBe('no-referrer');
      return /frame-ancestors (.*)$/.exec(headers['content-security-policy']!)![1];
    };
    expect(await policyOf(`/embed/${share.id}`)).toBe('https://wiki.example');
    expect(await policyOf('/embed/00000000-0000-4000-8000-000000000000')).toBe("'none'");
    expect(await policyOf('/share')).toBe("'none'");
    for (const [host, src] of [
      ['evil.example', embedUrl],
      ['wiki.example', unframed],
    ]) {
      await frame(host!, src!);
      await expect.poll(() => site.web.faults.splice(0).join()).toContain('frame-ancestors');
    }
  });

  it('its page is a small program of its own, and names no app before it is open', async () => {
    const folder = await builtWebApp();
    const html = await readFile(path.join(folder, 'share.html'), 'utf8');
    expect(html).toContain('<title>Landfall</title>');
    const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file!);
    const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, `${file}.gz`))).size));
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_FOR_VIEWERS);
  });

  it.each([
    ['analytics', 'range=90&filter=["country:DE"]', 'country:DE'],
    ['links', 'state=archived', 'archived'],
    ['restores', 'state=refused', 'refused'],
  ])('a view of the page of %s is saved and opened', async (name, search, kept) => {
    const { page } = site;
    await page.goto(`${site.app}/${name}?${search}`);
    await untilLoaded(page);
    const saved = new URL(page.url()).search;
    await tabAndPress(page.getByRole('button', { name: 'Views' }));
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(`My ${name}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`${site.app}/${name}`);
    await untilLoaded(page);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: `My ${name}` }).click();
    await expect.poll(() => decodeURIComponent(page.url())).toContain(kept);
    expect(new URL(page.url()).search).toBe(saved);
  });

  it('a view belongs to its page, and is renamed and deleted', async () => {
    const { page } = site;
    // A view of a page is not one of another.
    await page.getByRole('button', { name: 'Views' }).click();
    expect(await page.getByRole('menuitem', { name: 'My links' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Rename or delete' }).click();
    await expectAccessible(page, { onPhone: true });
    await page.getByRole('button', { name: 'Rename My restores' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Given 🌷');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete Given 🌷' }).click();
    await page.getByRole('dialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is saved yet.').first().waitFor();
  });
});
