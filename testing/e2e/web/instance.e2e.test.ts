// Full run: its routes have tests over HTTP.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { deadLetterSink } from '@landfall/db';
import { expect, it } from 'vitest';
import { expectAccessible } from './checks.ts';
import { tabAndPress, untilFocused } from './keyboard.ts';
import { callAs, describeWeb, OWNER } from './web.ts';

describeWeb('the instance in the web app', {}, (site) => {
  const keep = (message: string, data: object) =>
    deadLetterSink(site.database)({
      id: randomUUID(),
      group: 'account',
      message,
      key: 'key',
      data,
      reason: 'Error: the disk is full',
      attempts: 3,
      messageId: randomUUID(),
      at: new Date(),
    });

  it('replays a dead letter, with the keyboard alone', async () => {
    const { page } = site;
    const { key } = await callAs(site.tab, 'POST', `/api/manage${site.app}/keys`, { label: 'App' });
    await keep('KeyUsed', { keyId: key.id, requests: 7 });
    await page.goto('/instance/dead-letters');
    await page.getByText('Error: the disk is full · 3 attempts').waitFor();
    await page.getByText('Content').press('Enter');
    await expectAccessible(page, { whole: true });
    await tabAndPress(page.getByRole('button', { name: 'Replay KeyUsed' }));
    await page.getByText('One message is replayed.').waitFor();
    await page.getByText('Replayed', { exact: true }).waitFor();
    const { keys } = await callAs(site.tab, 'GET', `/api/manage${site.app}/keys`);
    expect(keys[0].lastUsedAt).not.toBeNull();
  });

  it('says when messages failed again, and leaves them', async () => {
    const { page } = site;
    await keep('KeyUsed', { keyId: 'no id' });
    await keep('NobodyKnows', {});
    await page.goto('/instance/dead-letters?group=account');
    await page.getByRole('button', { name: 'Replay all 2' }).press('Enter');
    await page.getByText('2 failed again: the log has the reasons.').waitFor();
    expect(await page.getByRole('button', { name: /^Replay (KeyUsed|NobodyKnows)$/ }).count()).toBe(2);
  });

  it('refuses a replay of what is not there', async () => {
    const replay = (data: object) =>
      site.tab.page.request.post('/api/manage/dead-letters/replay', { headers: { 'x-landfall': '1' }, data });
    for (const [data, path] of [
      [{ group: 'account', places: ['none'] }, 'places'],
      [{ group: 'account', places: [] }, 'places'],
    ] as const) {
      const answer = await replay(data);
      expect(answer.status()).toBe(400);
      expect((await answer.json()).details[0].path).toBe(path);
    }
  });

  it('makes a team, shows its members, renames and deletes it', async () => {
    const { page } = site;
    // A list may show a change just before its window closes. Behind a window nobody can press a button.
    const closed = () => page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goto('/instance/teams');
    await page.getByRole('button', { name: 'New team' }).press('Enter');
    await untilFocused(page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.type('Sales');
    await page.keyboard.press('Enter');
    await closed();
    await page.getByRole('button', { name: 'Members: Sales' }).press('Enter');
    await page.getByRole('dialog').getByRole('cell', { name: OWNER.email }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await closed();
    await page.getByRole('button', { name: 'Rename: Sales' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('Growth');
    await page.keyboard.press('Enter');
    await closed();
    await page.getByRole('button', { name: 'Delete: Growth' }).press('Enter');
    await page.getByRole('dialog').getByText('The members of Growth leave').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await closed();
    await expect.poll(() => page.getByRole('cell', { name: 'Growth' }).count()).toBe(0);
    // The other team has a live app.
    await page.getByRole('button', { name: 'Delete: Analytical' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await expectAccessible(page);
  });

  it('filters the changes by team and person, and exports them', async () => {
    const { page } = site;
    const { teams } = await callAs(site.tab, 'GET', '/api/manage/teams');
    await page.goto('/instance/audit');
    await page.getByText('Replayed dead letters').first().waitFor();
    // All changes are those of teams, too.
    await page.getByText('Made the app Café Notes').first().waitFor();
    await page.getByRole('combobox', { name: 'Team' }).click();
    await page.getByRole('option', { name: 'Analytical' }).click();
    await page.getByText('Made the app Café Notes').waitFor();
    await page.getByRole('combobox', { name: 'By' }).click();
    await page.getByRole('option', { name: OWNER.email }).click();
    await page.waitForURL((url) => url.searchParams.get('teamId') === teams[0].id && url.searchParams.has('userId'));
    await page.getByText('Made the app Café Notes').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).press('Enter'),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n')[0]).toMatch(/^\ufeffat,action,actor,/);
    expect(text).toContain(`,CreateApp,person,${OWNER.email},`);
    expect(text).not.toContain(',DeleteTeam,');
  });

  it('is hidden from people who do not own it', async () => {
    const { teams } = await callAs(site.tab, 'GET', '/api/manage/teams');
    const { code } = await callAs(site.tab, 'POST', `/api/manage/teams/${teams[0].id}/invitations`, {
      email: 'bob@example.com',
      role: 'admin',
    });
    const bob = await site.web.open();
    await callAs(bob, 'POST', '/api/manage/invitations/join', {
      code,
      name: 'Bob',
      password: 'another long password',
    });
    await bob.page.goto(site.app);
    await bob.page.getByRole('heading', { level: 1 }).waitFor();
    expect(await bob.page.getByRole('link', { name: 'Dead letters' }).count()).toBe(0);
    for (const path of ['', '/people', '/teams', '/dead-letters', '/audit']) {
      await bob.page.goto(`/instance${path}`);
      await bob.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    }
  });
});
