// Second factors in a browser: an authenticator app, passkeys of a virtual authenticator, teams that need one, and what
// happens by email.
// Full run: its routes have tests over HTTP.
import { type Mailbox, startMailbox } from '@landfall/testkit';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectShown } from './checks.ts';
import type { Tab } from './chromium.ts';
import { tabAndPress, untilFocused } from './keyboard.ts';
import { callAs, describeWeb, OWNER } from './web.ts';

const BOB = { email: 'bob@example.com', password: 'correct horse of bob' };

let box: Mailbox;
async function settings() {
  box = await startMailbox();
  // All people of these tests have one address, and sign in within a minute.
  const mail = { SMTP_URL: `smtp://localhost:${box.port}`, MAIL_FROM: 'Landfall <landfall@example.com>' };
  return { ...mail, RATE_LIMITS: 'sign-in=1000' };
}

describeWeb('a second factor', { settings }, (site) => {
  afterAll(() => box?.close());

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: site.web.system.clock() });
  /** The next code: each is good once. */
  function nextCode(secret: string): string {
    site.web.system.clock.advance({ seconds: 30 });
    return codeOf(secret);
  }

  async function enterPassword({ page }: Tab, { email, password } = OWNER, to = '/sign-in') {
    await page.goto(to);
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  const atHome = (page: Page) => page.getByRole('heading', { level: 1, name: 'Café Notes' }).waitFor();

  /** An open page would notice it, and go to the sign-in by itself. */
  async function forgetSession({ page, context }: Tab): Promise<void> {
    await page.goto('about:blank');
    await context.clearCookies();
  }

  /** A phone of software, which says yes to everything. */
  async function withAuthenticator({ page, context }: Tab): Promise<void> {
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
    const answers = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
    await session.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, ...answers } });
  }

  let secret = '';
  const codes: string[] = [];

  it('of an app is set up with the keyboard alone, and its recovery codes are shown once', async () => {
    const { page } = site;
    await page.goto('/account');
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await tabAndPress(page.getByRole('button', { name: 'Set up an authenticator app' }));
    await untilFocused(page.getByRole('textbox', { name: 'Code of the authenticator app' }));
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    secret = (await page
      .locator('code')
      .filter({ hasText: /^[A-Z2-7 ]{39}$/ })
      .textContent())!.replaceAll(' ', '');
    await expectAccessible(page);
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the code of the authenticator app.').waitFor();
    await page.getByRole('textbox', { name: 'Code of the authenticator app' }).fill(codeOf(secret));
    await page.keyboard.press('Enter');
    const shown = page.getByRole('region', { name: 'Copy the codes' });
    codes.push(...(await shown.textContent())!.split('\n'));
    expect(codes).toHaveLength(10);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 of 10 codes are left.').waitFor();
    await expectAccessible(page);
  });

  it('is asked for after the password, and a recovery code stands in for it', async () => {
    const tab = await site.web.open();
    await enterPassword(tab);
    const field = tab.page.getByRole('textbox', { name: 'Code' });
    await untilFocused(field);
    await expectAccessible(tab.page);
    expect(await tab.context.cookies()).toEqual([]);
    await field.fill('000000');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('This code is wrong, or was already used.').waitFor();
    await field.fill(nextCode(secret));
    await tab.page.keyboard.press('Enter');
    await atHome(tab.page);

    const other = await site.web.open();
    await enterPassword(other, OWNER, '/sign-in?to=%2Faccount');
    await other.page.getByRole('textbox', { name: 'Code' }).fill(codes[0]!);
    await other.page.keyboard.press('Enter');
    await other.page.getByText('9 of 10 codes are left.').waitFor();
  });

  /** The browser with a passkey. */
  let phone: Tab;

  it('that is a passkey is added beside the app', async () => {
    const tab = await site.web.open();
    phone = tab;
    await withAuthenticator(tab);
    await enterPassword(tab, OWNER, '/sign-in?to=%2Faccount');
    await tab.page.getByRole('textbox', { name: 'Code' }).fill(nextCode(secret));
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('button', { name: 'Add a passkey' }).click();
    await tab.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Phone with a long name '.repeat(4).trim());
    await expectAccessible(tab.page);
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('row', { name: /Phone with a long name/ }).waitFor();
    await expectShown(tab.page, 'Account', { onPhone: true });
  });

  it('that is a passkey signs in alone, and after the password', async () => {
    const tab = phone;
    await forgetSession(tab);
    await tab.page.goto('/sign-in');
    await tab.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await atHome(tab.page);

    await forgetSession(tab);
    await enterPassword(tab);
    await tab.page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await expectAccessible(tab.page);
    await tab.page.getByRole('button', { name: 'Use a passkey' }).click();
    await atHome(tab.page);
  });

  it('is not changed in an old session before another sign-in', async () => {
    site.web.system.clock.advance({ minutes: 16 });
    const { page } = site;
    await page.goto('/account');
    await page.getByText('You signed in more than 15 minutes ago.').waitFor();
    expect(await page.getByRole('button', { name: 'Remove the authenticator app' }).isDisabled()).toBe(true);
    await expectShown(page, 'Account', { whole: false });
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await enterPassword(site.tab, OWNER, page.url());
    await page.getByRole('textbox', { name: 'Code' }).fill(nextCode(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the authenticator app' }).and(page.locator(':enabled')).waitFor();
  });

  describe('in a team that needs one', () => {
    let bob: Tab;

    it('an invitation comes by email', async () => {
      const { page } = site;
      await page.goto(`${site.app}/members`);
      const needs = page.getByRole('switch', { name: 'Every member needs a second factor' });
      await needs.click();
      await page.getByText('Every member has one, so nobody is shut out.').waitFor();
      expect(await needs.isChecked()).toBe(false);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Ask for it' }).click();
      await expect.poll(() => needs.isChecked()).toBe(true);
      await page.getByText('Every member has one.').waitFor();
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await page.getByRole('textbox', { name: 'Email' }).fill(BOB.email);
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Invite a person' }).click();
      await page.getByText(`${BOB.email} gets the invitation by email.`).waitFor();
      await expectShown(page, 'Members', { onPhone: true });
      expect(box.mails).toMatchObject([{ to: [BOB.email] }]);
    });

    it('it leads its person to the account, which says what is needed', async () => {
      bob = await site.web.open();
      await bob.page.goto(/http:\S+\/join#\S+/.exec(box.mails[0]!.text)![0]);
      await bob.page.getByRole('textbox', { name: 'Your name' }).fill('Bob');
      await bob.page.getByRole('textbox', { name: 'Password' }).fill(BOB.password);
      await bob.page.getByRole('button', { name: 'Join' }).click();
      await bob.page.getByText('A second factor is needed: Analytical').waitFor();
      expect(new URL(bob.page.url()).pathname).toBe('/account');
      await expectShown(bob.page, 'Account', { whole: false });
    });

    it('its person sets one up before anything else', async () => {
      await bob.page.goto(site.app);
      await bob.page.getByRole('heading', { name: 'Set up a second factor first' }).waitFor();
      // The frame says why. The page does not say it again.
      expect(await bob.page.getByText('This team needs a second factor').count()).toBe(0);
      await bob.page.getByRole('link', { name: 'Set up a second factor' }).click();

      await bob.page.getByRole('button', { name: 'Set up an authenticator app' }).click();
      const shown = await bob.page
        .locator('code')
        .filter({ hasText: /^[A-Z2-7 ]{39}$/ })
        .textContent();
      await bob.page
        .getByRole('textbox', { name: 'Code of the authenticator app' })
        .fill(codeOf(shown!.replaceAll(' ', '')));
      await bob.page.keyboard.press('Enter');
      await bob.page.getByRole('button', { name: 'I have saved them' }).click();
      await bob.page.goto('/');
      await atHome(bob.page);
    });

    it('an owner of the installation takes a lost one away', async () => {
      const { page } = site;
      await page.goto('/instance/people');
      await expectShown(page, 'People', { onPhone: true });
      await page.getByRole('button', { name: 'Remove the second factor of Bob' }).click();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Remove the second factor' }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      const { people } = await callAs(site.tab, 'GET', '/api/manage/people');
      expect(people).toMatchObject([{ email: BOB.email, secondFactor: false }, { secondFactor: true }]);
    });
  });

  it('is asked for after a password that was forgotten, and chosen by an email', async () => {
    const tab = await site.web.open();
    await tab.page.goto('/sign-in');
    await tabAndPress(tab.page.getByRole('link', { name: 'I forgot my password' }));
    await tab.page.getByRole('textbox', { name: 'Email' }).fill(OWNER.email);
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText(`If an account has the email ${OWNER.email}`).waitFor();
    await expectAccessible(tab.page);
    await expect.poll(() => box.mails.at(-1)!.to).toEqual([OWNER.email]);
    await tab.page.goto(/http:\S+\/reset#\S+/.exec(box.mails.at(-1)!.text)![0]);
    await tab.page.getByRole('textbox', { name: 'New password' }).fill('a newer long password');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText('Your new password is saved.').waitFor();
    await expectAccessible(tab.page);
    await tab.page.getByRole('textbox', { name: 'Code' }).fill(nextCode(secret));
    await tab.page.keyboard.press('Enter');
    await atHome(tab.page);
  });
});

describeWeb('an app', {}, (site) => {
  it('is archived when its name was typed, by somebody who knows how many links stop', async () => {
    const { page } = site;
    for (const destination of ['/a', '/b'])
      await callAs(site.tab, 'POST', `/api/manage${site.app}/links`, { destination });
    await page.goto(`${site.app}/settings`);
    await page.getByRole('button', { name: 'Archive the app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 links stop.').waitFor();
    const archive = dialog.getByRole('button', { name: 'Archive the app' });
    expect(await archive.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Café Note');
    expect(await archive.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('textbox').fill('Café Notes');
    await archive.click();
    await page.getByText('The app is archived').waitFor();
  });
});
