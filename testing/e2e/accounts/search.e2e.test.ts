// One search finds what of an app a text names.
import { freshIp } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { newDevice, systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp();
const other = await system.makeApp();
const search = (q: string, of = app) =>
  system.manage({ path: `/api/manage/apps/${of.app.id}/search?${new URLSearchParams({ q })}` });
const found = async (q: string, of = app) => (await search(q, of)).json.found;

const link = await system.makeLink(app, '/sale/boots');
const ann = 'ann@example.com';
const phone = { ...newDevice().body, platform: 'android', userEmail: ann };
const ip = freshIp();
await calls.tap(link.url, { ip });
const started = await calls.restore(app, phone, { ip });
const deviceToken = `token-${'a'.repeat(80)}`;
await system.sdk(app, {
  method: 'POST',
  path: '/api/push/register',
  body: { deviceToken, platform: 'android', userEmail: ann },
});
await system.settled();

it.each([
  ['the URL of a link', link.url],
  ['its slug', link.slug],
  ['the beginning of its destination', '/sale/b'],
])('finds a link by %s', async (_, q) => {
  expect((await found(q)).links).toMatchObject([{ id: link.id, url: link.url }]);
});

it.each([
  ['the email of its user', ` ${ann.toUpperCase()} `],
  ['its fingerprint', phone.deviceFingerprint],
  ['the URL of its link', link.url],
  ['the id of its request', `${started.headers['x-request-id']}`],
])('finds a start by %s', async (_, q) => {
  expect((await found(q)).restores).toMatchObject([{ matchType: expect.any(String), device: expect.any(String) }]);
});

it.each([
  ['the email of its user', ann],
  ['its token', deviceToken],
])('finds a device for push by %s, and never shows its token', async (_, q) => {
  const { text, json } = await search(q);
  expect(json.found.devices).toMatchObject([{ platform: 'android' }]);
  expect(text).not.toContain(deviceToken);
  expect(text).not.toContain(ann);
});

it('finds nothing of another app, and nothing for a text that names nothing', async () => {
  const nothing = { links: [], restores: [], devices: [], people: [] };
  for (const q of [link.url, ann, deviceToken, phone.deviceFingerprint]) expect(await found(q, other)).toEqual(nothing);
  expect(await found('nothing of the kind')).toEqual(nothing);
  expect((await search(' ')).status).toBe(400);
});
