// Full run: its routes have tests over HTTP.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMailbox } from '@landfall/testkit';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { expectAccessible, expectShown, expectStill } from './checks.ts';
import { describeWeb } from './web.ts';

const box = await startMailbox();
let status = 200;
const receiver = createServer((req, res) => void req.resume().on('end', () => res.writeHead(status).end()));
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
afterAll(() => Promise.all([box.close(), receiver.close()]));
const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const mail = { SMTP_URL: `smtp://localhost:${box.port}`, MAIL_FROM: 'landfall@example.com' };
const LONG = '🌱 شبكة Growth team with a name that is much longer than people expect it to be';

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describeWeb('the page of reports', { settings: { ...mail, PRIVATE_WEBHOOKS: 'on' } }, (site) => {
  const region = (name: string) => site.page.getByRole('region', { name, exact: true });

  it('is accessible while it is empty, and suggests alerts that need a channel', async () => {
    const { page } = site;
    await page.goto(`${site.app}/reports`);
    await expectShown(page, 'Reports', { whole: false });
    await page.getByText('There is no channel yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Taps fall' }).isDisabled()).toBe(true);
  });

  it('adds a channel, tests it, and says why a test does not arrive', async () => {
    const { page } = site;
    await region('Channels').getByRole('button', { name: 'Add a channel' }).click();
    await choose(page, 'Kind', 'Webhook');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(LONG);
    await dialog.getByRole('textbox', { name: 'URL' }).fill('hook');
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'URL' }).fill(target);
    await dialog.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    const test = page.getByRole('button', { name: `Send a test to ${LONG}` });
    await test.click();
    await page.getByText(`“${LONG}” has taken the test.`).waitFor();
    status = 404;
    await test.click();
    await region('Channels').getByText('The receiver answered with status 404.').waitFor();
    await region('Channels').getByText('Nothing arrives').waitFor();
    site.web.faults.splice(0);
    await region('Last messages').getByText('The receiver answered with status 404.').waitFor();
    status = 200;
  });

  it('makes no report for nobody, and takes a new address in its window', async () => {
    const { page } = site;
    await region('Reports').getByRole('button', { name: 'New report' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Daily');
    await dialog.getByRole('combobox', { name: 'Channels' }).press('Backspace');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'New report' }).click();
    await dialog.getByText('Choose a channel, or enter an email address.').waitFor();
    await dialog.getByRole('textbox', { name: 'A new email address' }).fill('carol@example.com');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'New report' }).click();
    await region('Channels').getByText('Not confirmed').first().waitFor();
    await region('Reports')
      .getByRole('row', { name: /^Daily/ })
      .getByText('carol@example.com')
      .waitFor();
    await expect.poll(() => box.mails.splice(0).length).toBe(1);
    for (const name of ['Daily', 'carol@example.com']) {
      await page.getByRole('button', { name: `Actions of ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('button', { name: `Actions of ${name}` }).waitFor({ state: 'detached' });
    }
  });

  it('makes a report, and shows when it comes', async () => {
    const { page } = site;
    await region('Reports').getByRole('button', { name: 'New report' }).click();
    await choose(page, 'How often', 'Every month');
    await choose(page, 'Day of the month', '31');
    await page.getByRole('dialog').getByRole('button', { name: 'New report' }).click();
    await region('Reports').getByText('Day 31 of the month at 09:00 (UTC)').waitFor();
    await page.getByRole('button', { name: 'Actions of Weekly figures' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await region('Reports').getByText('Paused').waitFor();
  });

  it('shows what a report says, sends it, and then says whether it arrived', async () => {
    const { page } = site;
    await page.getByRole('button', { name: 'Preview and send Weekly figures' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Taps: 0').waitFor();
    await dialog.getByText(`It goes to: ${LONG}.`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('The report is on its way.').waitFor();
    await region('Reports').getByText('Arrived').waitFor({ timeout: 20_000 });
  });

  it('makes a new secret, after it has said that the old one ends', async () => {
    const { page } = site;
    await page.getByRole('button', { name: `Actions of ${LONG}` }).click();
    await page.getByRole('menuitem', { name: 'New secret' }).click();
    await page.getByText('The secret that you have ends at once.').waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
  });

  it('makes an alert of a suggestion and another one, and snoozes it', async () => {
    const { page } = site;
    await page.getByRole('button', { name: 'Taps fall' }).click();
    await region('Alerts').getByText('Taps of 3 hours fall by more than 50%').waitFor();
    await region('Alerts').getByRole('button', { name: 'New alert' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Tells when: Taps of 3 hours fall by more than 50%.').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Taps: Fewer than expected');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Spring');
    await dialog.getByRole('combobox', { name: 'Channels' }).press('Backspace');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'New alert' }).click();
    await dialog.getByText('Choose a channel.').waitFor();
    await dialog.getByRole('combobox', { name: 'Channels' }).press('ArrowDown');
    await page.getByRole('option').first().click();
    await page.keyboard.press('Tab');
    await choose(page, 'Rule', 'Above a limit');
    await choose(page, 'Only', 'One campaign');
    await dialog.getByRole('textbox', { name: 'Campaign' }).fill('spring');
    await dialog.getByText('Tells when: Taps of a whole day above 50. Only spring.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'New alert' }).click();
    await region('Alerts').getByText('Only spring').waitFor();
    await page.getByRole('button', { name: 'Snooze Spring for a day' }).click();
    await region('Alerts').getByText('Snoozed until').waitFor();
  });

  it('is accessible with all of them', async () => {
    const { page } = site;
    await page.reload();
    await expectShown(page, 'Reports', { onPhone: true });
  });

  it('lets the owner of an address confirm it, and end it, without an account', async () => {
    const { page } = site;
    await region('Channels').getByRole('button', { name: 'Add a channel' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Bob');
    await choose(page, 'Person', 'Another address');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Email address' }).fill('bob@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a channel' }).click();
    await region('Channels').getByText('Not confirmed yet').waitFor();
    const stranger = (await site.web.open()).page;
    await stranger.goto(/http:\S+\/confirm#\S+/.exec(box.mails[0]!.text)![0]);
    await expectStill(stranger);
    await expectAccessible(stranger, { whole: true });
    await stranger.getByRole('button', { name: 'Confirm' }).click();
    await stranger.getByText('may come to your address now').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Send a test to Bob' }).click();
    await page.getByText('“Bob” has taken the test.').waitFor();
    await stranger.goto(/http:\S+\/unsubscribe\S+/.exec(box.mails[1]!.text)![0]);
    await expectStill(stranger);
    await expectAccessible(stranger, { whole: true });
    await stranger.getByRole('button', { name: 'End them' }).click();
    await stranger.getByText('Done. No more of these emails come.').waitFor();
    await page.reload();
    await region('Channels').getByText('Unsubscribed').waitFor();
  });
});

describeWeb('the page of reports without a mail server', {}, (site) => {
  it('says that mail is off, and which settings turn it on', async () => {
    await site.page.goto(`${site.app}/reports`);
    await site.page.getByText('Mail is off').waitFor();
    await site.page.getByText('SMTP_URL and MAIL_FROM').waitFor();
    await expectShown(site.page, 'Reports', { whole: false });
  });
});
