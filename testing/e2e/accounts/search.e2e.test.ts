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
  ['its address without the scheme', link.url.replace(/^https?:../, '')],
  ['its path', `/${link.slug}`],
  ['the beginning of its destination', '/sale/b'],
  ['a part of its destination', 'BOOT'],
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

it('finds devices by their ids, by the first characters that lists show, and the starts of their user', async () => {
  const { devices, restores } = await found(ann);
  const [registration, install] = [devices[0].id, restores[0].device];
  for (const q of [registration, registration.toUpperCase(), registration.slice(0, 8)])
    expect(await found(q)).toMatchObject({ devices: [{ id: registration }], restores: [{ device: install }] });
  for (const q of [install, install.slice(0, 8)])
    expect(await found(q)).toMatchObject({ devices: [], restores: [{ device: install }] });
  for (const q of [registration, install.slice(0, 8)]) expect(await found(q, other)).toEqual(nothing);
});

it('lists the devices for push that anything of a person or phone names', async () => {
  const { devices, restores } = await found(ann);
  const [registration, install] = [devices[0].id, restores[0].device];
  const listed = async (q: string, of = app) =>
    (await system.manage({ path: `/api/manage/apps/${of.app.id}/devices?${new URLSearchParams({ search: q })}` })).json;
  for (const q of [ann, deviceToken, phone.deviceFingerprint, registration.slice(0, 8), install.slice(0, 8), install]) {
    expect(await listed(q)).toMatchObject({ devices: [{ id: registration, hasUser: true }], total: 1, next: null });
    expect((await listed(q, other)).devices).toEqual([]);
  }
  expect((await listed('somebody else')).devices).toEqual([]);
});

it('finds a tap, a restore and a push by their ids, and only in their app', async () => {
  const read = async (path: string) => (await system.manage({ path })).json;
  const [tap] = (await read(`/api/manage/links/${link.id}/taps`)).taps;
  const [restore] = (await read(`/api/manage/apps/${app.app.id}/restores`)).restores;
  const body = { appId: app.app.id, title: 'Boots are back', body: 'Today', target: { all: true } };
  const pushId = (await system.manage({ method: 'POST', path: '/api/push/send', body })).json.notificationId;
  expect((await found(tap.tapId)).taps).toEqual([
    {
      tapId: tap.tapId,
      linkId: link.id,
      at: tap.at,
      outcome: tap.outcome,
      link: { name: null, destination: '/sale/boots' },
    },
  ]);
  expect((await found(restore.id)).restores).toMatchObject([{ id: restore.id }]);
  expect((await found(pushId.toUpperCase())).pushes).toMatchObject([{ id: pushId, title: 'Boots are back' }]);
  for (const id of [tap.tapId, restore.id, pushId]) expect(await found(id, other)).toEqual(nothing);
});

const nothing = { links: [], restores: [], devices: [], taps: [], pushes: [], people: [] };

it('finds nothing of another app, and nothing for a text that names nothing', async () => {
  for (const q of [link.url, ann, deviceToken, phone.deviceFingerprint]) expect(await found(q, other)).toEqual(nothing);
  expect(await found('nothing of the kind')).toEqual(nothing);
  expect((await search(' ')).status).toBe(400);
});
