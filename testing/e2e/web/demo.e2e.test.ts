// Full run: the routes that visitors have are tested over HTTP.
import { randomUUID } from 'node:crypto';
import type { TestApp } from '@landfall/testkit';
import { beforeAll, expect, it } from 'vitest';
import { post } from '../calls.ts';
import { expectAccessible, expectStill, untilLoaded } from './checks.ts';
import { describeWeb } from './web.ts';

const demoTeam = randomUUID();

describeWeb('a public demo', { settings: { DEMO_TEAM: demoTeam }, isSetUp: false }, (site) => {
  let demo: TestApp;
  let link: { id: string };
  let secret: TestApp;
  beforeAll(async () => {
    const { system } = site.web;
    [demo, secret] = [await system.makeApp(), await system.makeApp()];
    // The setting names a team that exists. Here its id must be known before the product starts.
    await site.database.rows('insert into account.teams (id, name, version, created_at) values ($1, $2, 1, now())', [
      demoTeam,
      'Demo',
    ]);
    const headers = { host: new URL(site.web.url).host };
    const path = `/api/manage/apps/${demo.app.id}`;
    const moved = await system.manage({ ...post(`${path}/transfer`, { teamId: demoTeam }), headers });
    expect(moved.status).toBe(200);
    link = (await system.manage({ ...post(`${path}/links`, { destination: '/shown' }), headers })).json.link;
  });

  const menu = () => site.page.getByRole('navigation', { name: 'Pages of the app' });

  async function expectNothingToChange(name: string): Promise<void> {
    const { page } = site;
    expect(await page.getByText('You may not').count(), name).toBe(0);
    expect(await page.getByRole('alert').count(), name).toBe(0);
    for (const action of ['New link', 'Import', 'New key', 'New push', 'Save', 'Invite a person', 'Archive the app'])
      expect(await page.getByRole('button', { name: action }).count(), `${name}: ${action}`).toBe(0);
  }

  it('opens for a stranger at once, and says what it is', async () => {
    const { page } = site;
    await page.goto('/');
    await page.waitForURL(`**/apps/${demo.app.id}`);
    await page.getByText('This is a public demo').waitFor();
    await untilLoaded(page);
    await expectStill(page);
    await expectAccessible(page, { whole: true });
    await expectNothingToChange('the first page');
    expect(await menu().getByRole('link', { name: 'Analytics' }).count()).toBe(1);
    expect(await menu().getByRole('link', { name: 'Members' }).count()).toBe(0);
  });

  it.each([
    ['Measure', 3],
    ['Reach', 3],
    ['Build', 6],
    ['Team', 1],
  ])('shows the pages of “%s” without a control that changes', async (group, count) => {
    const { page } = site;
    const pages = menu().getByRole('group', { name: group }).getByRole('link');
    const title = page.getByRole('heading', { level: 1 });
    const names = await pages.allTextContents();
    expect(names).toHaveLength(count);
    for (const name of names) {
      const before = await title.textContent();
      await pages.filter({ hasText: new RegExp(`^${name}$`) }).click();
      await expect.poll(() => title.textContent()).not.toBe(before);
      await untilLoaded(page);
      await expectNothingToChange(name);
    }
  });

  it('shows a link without the people who changed it', async () => {
    const { page } = site;
    await page.goto(`/apps/${demo.app.id}/links/${link.id}`);
    await page.getByRole('cell', { name: '/shown' }).waitFor();
    expect(await page.getByRole('region', { name: 'History' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  });

  it('hides every other app, and asks for the sign-in where a person is needed', async () => {
    const { page } = site;
    await page.goto(`/apps/${secret.app.id}/links`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.goto('/account');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  // The unit test of `authorise` tries each kind of need.
  it('changes nothing over the API', async () => {
    const { system } = site.web;
    const asStranger = (request: Parameters<typeof system.send>[0]) =>
      system.send({ ...request, headers: { 'x-landfall': '1', host: new URL(site.web.url).host } });
    const path = `/api/manage/apps/${demo.app.id}`;
    expect(await asStranger({ path })).toMatchObject({ status: 200 });
    expect(await asStranger({ path: `/api/manage/apps/${secret.app.id}` })).toMatchObject({ status: 404 });
    expect(await asStranger({ path: '/api/manage/me' })).toMatchObject({
      json: { kind: 'visitor', person: null, teams: [{ id: demoTeam, role: 'viewer' }] },
    });
    for (const request of [
      post(`${path}/links`, { destination: '/x' }),
      { method: 'DELETE', path: `/api/manage/teams/${demoTeam}` },
      { path: `/api/manage/teams/${demoTeam}/members` },
      { path: `/api/manage/links/${link.id}/history` },
      { path: '/api/manage/me/tokens' },
    ])
      expect(await asStranger(request), request.path).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
  });
});
