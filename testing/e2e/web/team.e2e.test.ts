// Full run: its routes have tests over HTTP.
import { expect, it } from 'vitest';
import { expectAccessible } from './checks.ts';
import type { Tab } from './chromium.ts';
import { moveAndChoose, tabAndPress, tabTo, untilFocused } from './keyboard.ts';
import { callAs, describeWeb } from './web.ts';

/** A PNG of 32 × 32 pixels. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAA1BMVEUaf1qV0savAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQ4y2NgGAWjYBSMAuwAAAQgAAFWu83mAAAAAElFTkSuQmCC';

describeWeb('a team', {}, (site) => {
  let bob: Tab;
  it('invites a viewer, who joins with the keyboard alone', async () => {
    const { page } = site;
    await page.goto(`${site.app}/members`);
    await tabAndPress(page.getByRole('button', { name: 'Invite a person' }));
    await untilFocused(page.getByRole('textbox', { name: 'Email' }));
    await page.keyboard.type('bob@example.com');
    await tabAndPress(page.getByRole('dialog').getByRole('combobox', { name: 'Role' }), 'ArrowUp');
    await moveAndChoose(page.getByRole('option', { name: 'Viewer' }), 'ArrowUp');
    await tabAndPress(page.getByRole('dialog').getByRole('button', { name: 'Invite a person' }));
    const address = await page.getByText(/\/join#[\w-]{43}$/).textContent();
    await expectAccessible(page);
    await tabAndPress(page.getByRole('button', { name: 'I have sent it' }));
    await page.getByText('bob@example.com · Viewer').waitFor();
    await expectAccessible(page);

    bob = await site.web.open();
    await bob.page.goto(address!);
    await bob.page.getByText('bob@example.com is invited to Analytical as viewer.').waitFor();
    await expectAccessible(bob.page);
    await tabTo(bob.page.getByRole('textbox', { name: 'Your name' }));
    await bob.page.keyboard.type('Bob');
    await bob.page.keyboard.press('Tab');
    await bob.page.keyboard.type('another long password');
    await bob.page.keyboard.press('Enter');
    await bob.page.getByRole('heading', { level: 1, name: 'Café Notes' }).waitFor();
  });

  it('offers to a viewer only what a viewer may do', async () => {
    const { page } = bob;
    await page.goto(`${site.app}/links?import=true`);
    await page.getByText('There is no link yet.').waitFor();
    expect(await page.getByRole('link', { name: 'New link' }).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto(`${site.app}/keys`);
    await page.getByText('There is no key yet.').waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
    await page.goto(`${site.app}/settings`);
    await page.getByText('An admin of the team can change these settings.').waitFor();
    // As text that everybody can read.
    await page.getByRole('row', { name: 'Name Café Notes' }).waitFor();
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
    for (const name of ['Archive the app', 'Make a secret'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    await page.goto(`${site.app}/push`);
    await page.getByText('No push has been sent yet.').waitFor();
    expect(await page.getByRole('link', { name: 'New push' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await page.goto(`${site.app}/set-up`);
    await page.getByRole('region', { name: 'Checks' }).waitFor();
    for (const name of [/^Make a /, 'Add']) expect(await page.getByRole('button', { name }).count(), `${name}`).toBe(0);
  });

  it.each([
    ['links/new', 'it needs the role Member.'],
    // The form was part of the list once.
    ['links?create=true', 'it needs the role Member.'],
    ['push/new', 'it needs the role Member.'],
    ['audit', 'it needs the role Admin.'],
    ['push/credentials', 'An admin of the team can change the credentials.'],
  ])('offers a viewer nothing at the typed address %s', async (path, sentence) => {
    const { page } = bob;
    await page.goto(`${site.app}/${path}`);
    await page.getByText(sentence).first().waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  });

  it('hides the apps of other teams', async () => {
    const { team } = await callAs(site.tab, 'POST', '/api/manage/teams', { name: 'Another' });
    const data = { teamId: team.id, name: 'Hidden', subdomain: 'hidden' };
    const { app: hidden } = await callAs(site.tab, 'POST', '/api/manage/apps', data);
    await bob.page.goto(`/apps/${hidden.id}/links`);
    await bob.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  it('changes settings, and is told when somebody else was faster', async () => {
    const { page, context } = site.tab;
    await page.goto(`${site.app}/settings`);
    const other = await context.newPage();
    await other.goto(`${site.app}/settings`);
    // A tab that is opened later begins with the draft of the first.
    await other.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Bundle identifier' }).fill('not a bundle');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // At its field, and not above the button.
    await page.getByText('Enter the bundle identifier from Xcode').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Bundle identifier' }).fill('com.example.notes');
    const saved = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect((await saved).postDataJSON()).toEqual({ ios: { bundleId: 'com.example.notes' } });
    await page.getByText('The settings are saved.').waitFor();
    await expectAccessible(page);
    await other.getByRole('textbox', { name: 'Name', exact: true }).fill('Notes');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByRole('button', { name: 'Load the latest version' }).click();
    await expect
      .poll(() => other.getByRole('textbox', { name: 'Bundle identifier' }).inputValue())
      .toBe('com.example.notes');
    expect(await other.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Notes');
    await other.getByRole('button', { name: 'Take back' }).click();
    await other.getByText('Not saved yet.').waitFor({ state: 'detached' });
    await other.close();
  });

  it('brands the app with a logo, a color and a sentence, which its preview shows at once', async () => {
    const { page } = site;
    await page.goto(`${site.app}/settings`);
    const upload = (buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await upload(Buffer.from('<svg/>'));
    await page.getByText('Choose a PNG, a JPEG or a WebP picture.').waitFor();
    await upload(Buffer.from(LOGO, 'base64'));
    const shown = page.getByRole('img', { name: 'Logo' });
    await shown.waitFor();
    await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(256);
    await page.getByRole('textbox', { name: 'Colour of the first button' }).fill('#1a7f5a');
    await page.getByRole('textbox', { name: 'A sentence about the app' }).fill('Notes that smell of coffee.');
    // The page of a link has it before it is saved, and a reload keeps it.
    const preview = page.frameLocator('iframe[title="The page of a link"]');
    await preview.getByText('Notes that smell of coffee.').waitFor();
    await page.reload();
    await preview.getByText('Notes that smell of coffee.').waitFor();
    await page.getByText('Not saved yet.').waitFor();
    await expectAccessible(page, { whole: true, onPhone: true });
  });

  it('asks before the brand is lost, and saves it with an image of previews', async () => {
    const { page } = site;
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('textbox', { name: 'Image of previews' }).fill('http://example.com/i.png');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Enter an address that begins with https://').waitFor();
    await page.getByRole('textbox', { name: 'Image of previews' }).fill('https://example.com/i.png');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByText('There is no logo yet.').waitFor();
  });

  it('is called as its owner wants', async () => {
    const { page } = site;
    await page.goto(`${site.app}/members`);
    await page.getByText('The people of Analytical.').waitFor();
    const team = page.getByRole('region', { name: 'Team', exact: true });
    await team.getByRole('textbox', { name: 'Name' }).fill('Engines');
    await team.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The people of Engines.').waitFor();
    await expectAccessible(page);
    await page.goto(`${site.app}/audit?team=true`);
    await page.getByText('Changed the team Analytical').waitFor();
    await page.getByRole('combobox', { name: 'By' }).click();
    await page.getByRole('option', { name: 'The operator' }).click();
    await page.getByText('Nothing has been changed.').waitFor();
    await page.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Changed the role of …' }).waitFor();
    expect(await page.getByRole('option', { name: 'Signed in' }).count()).toBe(0);
  });

  it('shows the tokens of the team, and ends one', async () => {
    const { page } = site;
    const { teams } = await callAs(bob, 'GET', '/api/manage/me');
    await callAs(bob, 'POST', '/api/manage/me/tokens', { teamId: teams[0].id, scope: 'read', label: 'Reports' });
    await page.goto(`${site.app}/members`);
    const tokens = page.getByRole('region', { name: 'Tokens' });
    await tokens.getByRole('row', { name: /Reports .*Bob/ }).waitFor();
    await expectAccessible(page);
    await tokens.getByRole('button', { name: 'Revoke Reports' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await tokens.getByText('No program has a token for this team.').waitFor();
    await bob.page.goto(`${site.app}/members`);
    await bob.page.getByRole('cell', { name: 'Bob bob@example.com' }).waitFor();
    expect(await bob.page.getByRole('region', { name: 'Tokens' }).count()).toBe(0);
  });

  it('has keys for what is done often', async () => {
    const { page } = site;
    await page.goto(site.app);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('heading', { level: 1, name: 'New link' }).waitFor();
    await untilFocused(page.getByRole('textbox', { name: 'Destination' }));
    // A key is a letter in a field.
    await page.keyboard.type('/c?');
    expect(await page.getByRole('textbox', { name: 'Destination' }).inputValue()).toBe('/c?');
    await page.getByRole('textbox', { name: 'Destination' }).blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('restores');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Restores' }).waitFor();
  });
});
