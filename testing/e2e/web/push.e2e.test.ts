import { type FakesOfRun, fakesOfRun } from '@landfall/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fcmToken } from '../calls.ts';
import { expectAccessible } from './checks.ts';
import { tabAndPress, tabTo, untilFocused } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

let fakes: FakesOfRun;
async function settings() {
  fakes = await fakesOfRun();
  return fakes.env;
}

describeWeb('push in the web app', { settings }, (site) => {
  let key: string;
  beforeAll(async () => {
    const body = { label: 'App', kind: 'mobile' };
    ({ plaintext: key } = await callAs(site.tab, 'POST', `/api/manage${site.app}/keys`, body));
  });
  afterAll(() => fakes?.close());

  async function register(userEmail: string): Promise<string> {
    const deviceToken = fcmToken();
    const registered = await site.web.system.send({
      method: 'POST',
      path: '/api/push/register',
      headers: { host: new URL(site.web.url).host, 'x-openlynk-sdk-key': key },
      body: { deviceToken, platform: 'android', userEmail },
    });
    expect(registered.status, registered.text).toBe(200);
    return deviceToken;
  }

  it('says that nobody gets a push without devices and credentials, and does not send it', async () => {
    const { page } = site;
    await page.goto(`${site.app}/push`);
    await page.getByText('The app has no credentials for push').waitFor();
    await page.getByRole('link', { name: 'New push' }).click();
    await page.getByText('so no phone gets one').waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill('Your order');
    await page.getByRole('textbox', { name: 'Text' }).fill('is on its way');
    await page.getByRole('button', { name: 'Review' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('is on its way').waitFor();
    await dialog.getByText('No device is registered for this audience.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Write to the log' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'Set the credentials' }).click();
    await page.getByRole('heading', { level: 1, name: 'Push credentials' }).waitFor();
  });

  it('takes the credentials of Firebase, and says why it refuses others', async () => {
    const { page } = site;
    await page.goto(`${site.app}/push/credentials`);
    const firebase = page.getByRole('region', { name: 'Firebase' });
    const file = (content: string) => ({
      name: 'account.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
    await firebase.locator('input[type=file]').setInputFiles(file('{"type": "service_account"}'));
    await firebase.getByRole('button', { name: 'Save' }).press('Enter');
    await firebase.getByRole('alert').waitFor();
    await expectAccessible(page);
    const account = JSON.stringify(await fakes.newServiceAccount());
    await firebase.locator('input[type=file]').setInputFiles(file(account));
    await firebase.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('The provider accepts these credentials.').waitFor();
    await firebase.getByText('Set', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('sends a push to a test device, with the keyboard alone', async () => {
    const { page } = site;
    const token = await register('ann@example.com');
    await register('bob@example.com');
    await page.goto(`${site.app}/push`);
    await tabAndPress(page.getByRole('link', { name: 'New push' }));
    // The entries from before the page was left.
    await tabAndPress(page.getByRole('button', { name: 'Continue Your order' }));
    await expect.poll(() => page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('is on its way');
    await tabTo(page.getByRole('textbox', { name: 'Title' }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Your order');
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect.poll(() => preview.getByText('Your order').count()).toBe(2);
    expect(await preview.getByText('Text', { exact: true }).count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('is on its way');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('/orders/7');
    await page.getByText('2 devices: 0 with iOS, 2 with Android').waitFor();
    await tabTo(page.getByRole('textbox', { name: 'Test device' }));
    await page.keyboard.type('ann@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The test is on its way to one device.').waitFor();
    await expect
      .poll(async () => (await fakes.messageTo('fcm', token))?.notification)
      .toMatchObject({
        title: 'Your order',
        body: 'is on its way',
      });
    await expectAccessible(page);
  });

  it('sends it to all, with the keyboard alone', async () => {
    const { page } = site;
    await tabAndPress(page.getByRole('button', { name: 'Review' }));
    await page.getByRole('dialog').getByText('2 devices get it.').waitFor();
    await expectAccessible(page);
    await untilFocused(page.getByRole('dialog').getByRole('button', { name: 'Send' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your order' }).waitFor();
    await page.getByText('Sent', { exact: true }).waitFor();
  });

  it('explains what became of it, for one person too', async () => {
    const { page } = site;
    await page.getByRole('searchbox').fill('ann@example.com');
    await page.keyboard.press('Enter');
    const results = page.getByRole('region', { name: 'Devices' }).getByRole('listitem');
    await results.getByText('1 device', { exact: true }).waitFor();
    await expectAccessible(page, { whole: true });
    await page.goto(`${site.app}/devices`);
    await page.getByRole('searchbox').fill('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('No device that registered for push has this').waitFor();
    await page.getByRole('link', { name: 'Look for it in the first starts' }).click();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('nobody@example.com');
    await page.goBack();
    await page.getByRole('searchbox').fill('bob@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Gets pushes').waitFor();
    await expectAccessible(page, { whole: true, onPhone: true });
  });

  it('shows the history of a device, and deletes it with the keyboard alone', async () => {
    const { page } = site;
    await page.goto(`${site.app}/devices`);
    await page.getByRole('searchbox').fill('ann@example.com');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await tabAndPress(page.getByRole('row').getByRole('link'));
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('link', { name: 'Your order' }).first().waitFor();
    await expect.poll(() => history.getByText('Accepted').count()).toBe(2);
    await history.getByText('The app registered the device.').waitFor();
    await expectAccessible(page);
    // The list is as it was before.
    await page.goBack();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await page.getByRole('searchbox').inputValue()).toBe('ann@example.com');
    await page.goForward();
    await tabAndPress(page.getByRole('button', { name: 'Delete the device' }));
    const dialog = page.getByRole('dialog', { name: 'Delete the device' });
    await dialog.getByText('This cannot be undone.').waitFor();
    await expectAccessible(page);
    await tabAndPress(dialog.getByRole('button', { name: 'Delete the device' }));
    await page.getByText('The device is deleted.').waitFor();
    // The list has all devices.
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    const { devices } = await callAs(site.tab, 'GET', `/api/manage${site.app}/devices`);
    expect(devices).toHaveLength(1);
    await page.goto(`${site.app}/audit`);
    await page.locator('#main').getByText('Deleted a device').waitFor();
  });

  it('plans a push in the time zone of the app, edits it, cancels it, and sends it again', async () => {
    const { page } = site;
    await page.goto(`${site.app}/push/new`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Tomorrow');
    // A push that was sent is no draft.
    expect(await page.getByRole('region', { name: 'Not finished yet' }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Text' }).fill('at noon');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('Send at').fill('2026-01-01T12:00');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText(/^This time is past\./).waitFor();
    await page.getByLabel('Send at').fill(`${tomorrow}T12:00`);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tomorrow' }).waitFor();
    await page.getByText('Scheduled', { exact: true }).waitFor();
    const { notifications } = await callAs(site.tab, 'GET', `/api/manage${site.app}/notifications?limit=1`);
    expect(notifications[0].sendAt).toBe(`${tomorrow}T12:00:00.000Z`);
    await page.getByText(/, 12:00:00/).waitFor();
    await page.getByRole('link', { name: 'Edit the push' }).click();
    await expectAccessible(page, { whole: true });
    expect(await page.getByLabel('Send at').inputValue()).toBe(`${tomorrow}T12:00`);
    await page.getByLabel('Send at').fill(`${tomorrow}T12:30`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/, 12:30:00/).waitFor();
    await page.getByRole('button', { name: 'Cancel the push' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await page.getByText(/^It was planned for .*, 12:30/).waitFor();
    await page.goto(`${site.app}/push`);
    const row = page.getByRole('row', { name: /Tomorrow/ });
    // Nobody knows who would have got it.
    await expect.poll(() => row.getByText('–', { exact: true }).count()).toBe(5);
    await page
      .getByRole('row', { name: /Your order/ })
      .getByText('0.0%')
      .first()
      .waitFor();
    await row.click();
    await page.getByRole('link', { name: 'Send again' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('at noon');
  });

  it('splits pasted emails, and names the people without a device', async () => {
    const { page } = site;
    await page.goto(`${site.app}/push/new`);
    await page.getByRole('combobox', { name: 'Audience' }).click();
    await page.getByRole('option', { name: 'People by email' }).click();
    const emails = page.getByRole('combobox', { name: 'Emails' });
    await emails.evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'bob@example.com\nyuki@example.com;max@example.com');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByText('yuki@example.com', { exact: true }).waitFor();
    await page.getByText('One device: 0 with iOS, 1 with Android').waitFor();
    await page.getByText('yuki@example.com, max@example.com have no device in this audience.').waitFor();
    await expectAccessible(page);
  });
});
