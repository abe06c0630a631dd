// Archived apps: the server serves nothing of them and deletes nothing. All their data works again when the app is
// restored from the archive.
import type { TestApp } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { expectError, linksOf, newDevice, patch, post, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();

const pathOf = ({ app }: TestApp) => `/api/manage/apps/${app.id}`;
const archive = (app: TestApp, archived: boolean, headers = {}) =>
  calls.change({ ...patch(pathOf(app), { archived }), headers });
const listed = async (query = ''): Promise<string[]> =>
  (await system.manage({ path: `/api/manage/apps?limit=100${query}` })).json.apps.map(({ id }: { id: string }) => id);

it('serve nothing, and come back with everything that they had', async () => {
  const settings = {
    webFallbackUrl: 'https://www.shop.example',
    ios: { teamId: 'ABCDE12345', bundleId: 'com.example.shop' },
  };
  const app = await system.makeApp(settings);
  const made = await calls.change(post(`${pathOf(app)}/keys`, { kind: 'server' }));
  const server: TestApp = { app: app.app, key: made.json.plaintext };
  const link = await system.makeLink(app, '/offer');
  const { host } = new URL(link.url);
  const device = newDevice();
  await calls.tap(link.url, { ip: device.ip });
  await calls.heartbeat(app, device.body, { ip: device.ip });

  const bulk = () => system.sdk(server, post('/api/links/create-bulk', { links: [{ destination: '/a' }] }));
  const resolve = (query: Record<string, string>, from = {}) => calls.resolve({ slug: link.slug, ...query }, from);
  const file = () => system.send({ path: '/.well-known/apple-app-site-association', headers: { host } });
  const served = async () => ({
    create: (await calls.create(app, { destination: '/a' })).status,
    byServer: (await calls.create(server, { destination: '/a' })).status,
    bulk: (await bulk()).status,
    heartbeat: (await calls.heartbeat(app, newDevice().body)).status,
    store: (await calls.store(app, { linkId: link.id, ...newDevice().body })).status,
    byId: (await resolve({ appId: app.app.id })).status,
    byHost: (await resolve({ hostname: host })).status,
    withKey: (await resolve({ hostname: host }, { headers: { 'x-service-sdk-key': app.key } })).status,
    tap: (await calls.tap(link.url)).status,
    open: (await calls.tap(link.url.replace('//', '//open-'))).status,
    root: (await calls.tap(`http://${host}/`)).status,
    unknown: (await calls.tap(`http://${host}/unknown`)).status,
    file: (await file()).status,
  });
  const all = {
    create: 200,
    byServer: 200,
    bulk: 200,
    heartbeat: 200,
    store: 200,
    byId: 200,
    byHost: 200,
    withKey: 200,
  };
  const live = { ...all, tap: 302, open: 302, root: 302, unknown: 404, file: 200 };
  expect(await served()).toEqual(live);

  const { json, headers } = await archive(app, true);
  expect(json.app).toMatchObject({ id: app.app.id, archivedAt: expect.stringMatching(/Z$/) });
  const gone = Object.fromEntries(Object.keys(all).map((name) => [name, 404]));
  expect(await served()).toEqual({ ...gone, tap: 410, open: 410, root: 404, unknown: 404, file: 404 });
  // The server still reports errors, and an unknown key stays unknown.
  expectError(await calls.create(app, { destination: '/a' }), 404, 'APP_NOT_FOUND');
  expectError(await calls.restore(app, device.body, { ip: device.ip }), 404, 'APP_NOT_FOUND');
  expectError(await calls.create({ ...app, key: `ol_${'0'.repeat(32)}` }, { destination: '/a' }), 401, 'UNAUTHORIZED');
  expectError(await calls.restore(server, device.body), 401, 'MOBILE_KEY_NEEDED');

  // The managers of the app still see all its data.
  expect((await system.manage({ path: pathOf(app) })).json.app.archivedAt).toBe(json.app.archivedAt);
  expect((await system.manage({ path: `${pathOf(app)}/keys` })).json.keys).toHaveLength(2);
  expect((await system.manage({ path: `${pathOf(app)}/links` })).json.links[0].archivedAt).toBeNull();

  expectError(await archive(app, false, { 'if-match': '"1"' }), 412, 'VERSION_MISMATCH');
  const back = await archive(app, false, { 'if-match': headers.etag });
  expect(back.json.app.archivedAt).toBeNull();
  expect(await served()).toEqual(live);
  expect(linksOf(await calls.restore(app, device.body, { ip: device.ip }))).toEqual([link.id]);
});

it('are in lists for those who ask for them', async () => {
  const [archived, live] = [await system.makeApp(), await system.makeApp()];
  await archive(archived, true);
  const both = [live.app.id, archived.app.id];
  const ours = (ids: string[]) => ids.filter((id) => both.includes(id));
  expect(ours(await listed())).toEqual([live.app.id]);
  expect(ours(await listed('&archived=false'))).toEqual([live.app.id]);
  expect(ours(await listed('&archived=true'))).toEqual([archived.app.id]);
  expect(ours(await listed('&archived=all'))).toEqual(both);
  expectError(await system.manage({ path: '/api/manage/apps?archived=maybe' }), 400, 'INVALID_REQUEST');
});
