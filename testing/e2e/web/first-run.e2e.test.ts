import { expect, it } from 'vitest';
import { describeWeb, expectAccessible, expectStill, OWNER, tabAndPress, tabTo } from './web.ts';

describeWeb('the first run', { isSetUp: false }, (site) => {
  it('begins at the printed address, with the health of the product', async () => {
    const { page } = site;
    await page.goto(`/setup#${await site.web.system.offerSetUp()}`);
    await page.getByText('Database').waitFor();
    await expectStill(page);
    await expectAccessible(page);
  });

  it('sets up with the keyboard alone, and shows a key, a command and a first link', async () => {
    const { page } = site;
    await tabTo(page.getByRole('textbox', { name: 'Email' }));
    // The subdomain follows from the name.
    for (const text of [OWNER.email, OWNER.password, 'Analytical', 'Café Notes']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'First link of Café Notes' }).waitFor();
    await tabAndPress(page.getByRole('button', { name: 'Make a server key' }));
    await page.getByText('Copy it now').waitFor();
    const command = await page.getByRole('region', { name: 'Copy the command' }).textContent();
    expect(command).toMatch(/-H 'x-service-sdk-key: ol_[0-9a-f]{32}'/);
    await tabAndPress(page.getByRole('button', { name: 'Create one here' }));
    await page.getByRole('link', { name: 'Tap the link in a new tab' }).waitFor();
    await page.getByText('Waiting for your first tap').waitFor();
  });

  it('shows the first tap', async () => {
    const { page, context } = site.tab;
    const tap = page.getByRole('link', { name: 'Tap the link in a new tab' });
    const [tapped] = await Promise.all([context.waitForEvent('page'), tap.click()]);
    await page.getByText('Your first tap is here').waitFor();
    await tapped.close();
    await page.getByText('desktop · Linux · Chrome').waitFor();
    await page.getByRole('link', { name: 'See the link' }).first().waitFor();
    await expectAccessible(page);
  });

  it('shows the link that the command made', async () => {
    const { page } = site;
    await page.reload();
    await page.getByRole('button', { name: 'Make a server key' }).click();
    const command = await page.getByRole('region', { name: 'Copy the command' }).textContent();
    await page.getByText('Waiting for your first tap').waitFor();
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
