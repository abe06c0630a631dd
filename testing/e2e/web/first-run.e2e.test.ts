import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { expectAccessible, expectStill } from './checks.ts';
import { tabAndPress, tabTo } from './keyboard.ts';
import { describeWeb, OWNER } from './web.ts';

describeWeb('the first run', { isSetUp: false }, (site) => {
  it('begins at the printed address, with the health of the product', async () => {
    const { page } = site;
    await page.goto(`/setup#${await site.web.system.offerSetUp()}`);
    await page.getByText('Database').waitFor();
    await expectStill(page);
    await expectAccessible(page, { whole: true });
  });

  it('sets up with the keyboard alone, and proposes a first link', async () => {
    const { page } = site;
    await tabTo(page.getByRole('textbox', { name: 'Email' }));
    // The subdomain follows from the name.
    for (const text of [OWNER.email, OWNER.password, 'Analytical', 'Café Notes']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Set up Café Notes' }).waitFor();
    await tabAndPress(page.getByRole('button', { name: 'Create this link' }));
    await page.getByRole('link', { name: 'Tap the link in a new tab' }).waitFor();
    await page.getByText('Waiting for the first tap').waitFor();
    await isDone(page, 'Create a link');
  });

  it('shows the first tap, and then the first restore, played on this computer', async () => {
    const { page, context } = site.tab;
    const tap = page.getByRole('link', { name: 'Tap the link in a new tab' });
    const [tapped] = await Promise.all([context.waitForEvent('page'), tap.click()]);
    await isDone(page, 'Tap it');
    await tapped.close();
    await page.getByText('Linux · Chrome').waitFor();
    const play = page.getByRole('link', { name: 'Play the install on this computer' });
    const [played] = await Promise.all([context.waitForEvent('page'), play.click()]);
    await played.getByText('Restored /welcome?from=first-link').waitFor();
    await played.close();
    await isDone(page, 'See the first restore');
    await expectAccessible(page);
  });

  it('gives a key and a command, and keeps what is done after a reload', async () => {
    const { page } = site;
    await page.reload();
    for (const step of ['Create a link', 'Tap it', 'See the first restore']) await isDone(page, step);
    await page.getByText('3 of 5 done').waitFor();
    await page.getByRole('heading', { name: 'Create a link' }).click();
    await page.getByRole('button', { name: 'Copy the link' }).waitFor();
    await page.getByRole('button', { name: 'Make a server key' }).click();
    await page.getByText('Copy it now').waitFor();
    const command = await page.getByRole('region', { name: 'Copy the command' }).textContent();
    await isDone(page, 'Make a key for your backend');
    const key = /ol_[0-9a-f]{32}/.exec(command ?? '')![0];
    const made = await fetch(`${site.web.url}/api/links/create-sdk`, {
      method: 'POST',
      headers: { 'x-service-sdk-key': key, 'content-type': 'application/json' },
      body: '{"destination": "/by-command"}',
    });
    const { link } = (await made.json()) as { link: { url: string } };
    await page.getByText(link.url, { exact: true }).waitFor();
  });

  it('sends a person to the set-up while there is no owner, and to the sign-in afterwards', async () => {
    const { page } = await site.web.open();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/setup');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});

const isDone = (page: Page, step: string) =>
  page.getByRole('region', { name: step }).getByRole('img', { name: 'Done' }).waitFor();
