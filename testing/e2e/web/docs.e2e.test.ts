// Full run: the documents have tests of their own.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectShown } from './checks.ts';
import { tabAndPress, untilFocused } from './keyboard.ts';
import { describeWeb } from './web.ts';

describeWeb('the documentation', {}, (site) => {
  let stranger: Page;
  beforeAll(async () => {
    stranger = (await site.web.open()).page;
  });

  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it.each([
    ['/docs', 'Documentation'],
    ['/docs/guides/web-app', 'The web app'],
    ['/docs/api', 'API reference'],
    ['/docs/api/createLink', 'Create a deep link'],
    ['/docs/search?q=backup', 'Search'],
  ])('%s is accessible for a stranger, and keeps its policy', async (path, heading) => {
    await stranger.goto(path);
    await expectShown(stranger, heading);
  });

  // They differ from those above in their text alone.
  it.each([
    ['/docs/reference/configuration', 'Configuration'],
    ['/docs/clients/kotlin', 'Landfall for Kotlin'],
    ['/docs/api/getAnalytics', 'Count the events of an app'],
    ['/docs/nothing', 'There is no such page'],
    ['/docs/api/nothing', 'There is no such page'],
  ])('%s is, too', async (path, heading) => {
    await stranger.goto(path);
    await expectShown(stranger, heading, { whole: false });
  });

  it('leads from guide to guide without loading the page again, and to a heading', async () => {
    const page = stranger;
    await page.goto('/docs');
    await page.evaluate(() => Object.assign(window, { mark: 1 }));
    await page.getByRole('region', { name: 'Run Landfall' }).getByRole('link', { name: 'Docker Compose' }).click();
    await title(page, 'Docker Compose');
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Backup' }).click();
    expect(new URL(page.url()).hash).toBe('#backup');
    expect(await page.evaluate(() => 'mark' in window)).toBe(true);
  });

  it('has guides with this host in their code, and nothing for people who write them', async () => {
    const page = stranger;
    await page.goto('/docs/guides/first-app');
    const { url } = site.web;
    await expect
      .poll(() => page.locator('.guide').textContent())
      .toContain(`curl -s -X POST ${url}/api/links/create-bulk`);
    expect(await page.locator('.guide').textContent()).not.toContain('localhost:8080');
    // Each block of code can be copied.
    const blocks = await page.locator('.guide pre').count();
    expect(blocks).toBeGreaterThan(0);
    expect(await page.getByRole('button', { name: 'Copy', exact: true }).count()).toBe(blocks);
    await page.goto('/docs/reference/configuration');
    await page.getByText('A wrong value stops the start.').waitFor();
    expect(await page.locator('.guide').textContent()).not.toContain('npm run docs');
  });

  it('finds a guide and an operation with the keyboard alone', async () => {
    const page = stranger;
    await page.goto('/docs');
    await title(page, 'Documentation');
    await page.keyboard.press('/');
    await untilFocused(page.getByRole('searchbox'));
    await page.keyboard.type('rotate key');
    const result = page.getByRole('link', { name: /Create a key of the same kind/ });
    await tabAndPress(result);
    await page.waitForURL('**/docs/api/rotateKey');
    await page.goBack();
    expect(await page.getByRole('searchbox').inputValue()).toBe('rotate key');
  });

  /** Returns the code that the page shows for the language. */
  async function codeFor(page: Page, language: string): Promise<string> {
    await page.getByRole('tab', { name: language }).click();
    return (await page.getByRole('region', { name: `Copy the code for ${language}` }).textContent()) ?? '';
  }

  it('shows code with this host and the key that was just made. The code for curl and Node works as it stands', async () => {
    const { page } = site;
    await page.goto(`${site.app}/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('Docs');
    await page.getByRole('dialog').getByRole('radio', { name: 'Mobile' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await page
      .getByRole('dialog')
      .getByText(/^ol_[0-9a-f]{32}$/)
      .textContent();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Documentation' }).click();
    const pages = page.getByRole('navigation', { name: 'Documentation' });
    await pages.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('link', { name: 'Create a deep link', exact: true }).click();
    await title(page, 'Create a deep link');

    const curl = await codeFor(page, 'curl');
    expect(curl).toContain(site.web.url);
    expect(curl).toContain(key);
    const byCurl = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
    expect(JSON.parse(byCurl.stdout)).toMatchObject({ success: true });
    const node = await codeFor(page, 'Node');
    const byNode = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', node]);
    expect(byNode.stdout).toContain('success: true');
    expect(await codeFor(page, 'Kotlin')).toContain(`.header("x-service-sdk-key", "${key}")`);

    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText(/^200 after/).waitFor();
    expect(await page.getByRole('region', { name: 'Answer', exact: true }).textContent()).toContain('"success": true');

    // Without a token, the management API is asked with the session.
    await page.goto('/docs/api/getMe');
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText(/^200 after/).waitFor();
  });
});
