// What statistics learn of taps and of the app's own requests, and what they do not.
// Over Kafka: what a published tap says.
import { freshIp, IPHONE } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { inOneProcess, newDevice, patch, systemOfFile } from '../calls.ts';
import { IPHONE_IN_INSTAGRAM } from '../user-agents.ts';

const GERMANY = '194.25.0.60';

const { system, calls } = await systemOfFile();
const once = inOneProcess();
const app = await system.makeApp({ labels: ['inviter', 'campaign'], timeZone: 'Asia/Kolkata' });
const link = await system.makeLink(app, '/a?utm_campaign=may&utm_source=link', { inviter: 'ann', secret: 'hidden' });

const figures = async (metric: string, query: string) => {
  await system.settled();
  return (await system.manage({ path: `/api/manage/apps/${app.app.id}/analytics?metric=${metric}&${query}` })).json;
};
const valuesOf = async (metric: string, groupBy: string, filter = '') => {
  const { groups } = await figures(metric, `groupBy=${groupBy}${filter}`);
  return Object.fromEntries(groups.map((g: { value: string | null; total: number }) => [g.value, g.total]));
};

it('a tap tells its country, browser, language, referrer, campaign and labels', async () => {
  await calls.tap(`${link.url}?qr&utm_source=poster`, {
    ip: GERMANY,
    userAgent: IPHONE,
    headers: { 'accept-language': 'de-AT,de;q=0.9', referer: 'https://www.news.example/story?reader=7' },
  });
  await calls.tap(link.url, { userAgent: IPHONE_IN_INSTAGRAM });
  expect(await valuesOf('clicks', 'country')).toEqual({ DE: 1, null: 1 });
  expect(await valuesOf('clicks', 'os')).toEqual({ iOS: 2 });
  expect(await valuesOf('clicks', 'browser')).toMatchObject({ Safari: 2 });
  expect(await valuesOf('clicks', 'language')).toEqual({ de: 1, null: 1 });
  expect(await valuesOf('clicks', 'referrer')).toEqual({ 'news.example': 1, null: 1 });
  expect(await valuesOf('clicks', 'inAppBrowser')).toEqual({ Instagram: 1, null: 1 });
  expect(await valuesOf('clicks', 'via')).toEqual({ qr: 1, link: 1 });
  expect(await valuesOf('clicks', 'utmSource')).toEqual({ poster: 1, link: 1 });
  expect(await valuesOf('clicks', 'utmCampaign')).toEqual({ may: 2 });
  expect(await valuesOf('clicks', 'label:inviter')).toEqual({ ann: 2 });
  expect(await valuesOf('linksCreated', 'label:inviter')).toEqual({ ann: 1 });
});

once.it('a campaign in the metadata of a link counts', async () => {
  const given = await system.makeLink(app, '/b', { utm_campaign: 'spring', utm_medium: 'print' });
  await calls.tap(`${given.url}?utm_medium=poster`);
  expect(await valuesOf('clicks', 'utmCampaign')).toMatchObject({ spring: 1 });
  expect(await valuesOf('clicks', 'utmMedium')).toMatchObject({ poster: 1 });
});

once.it('bots and prefetches are not counted', async () => {
  const before = (await figures('clicks', '')).total;
  await system.tap(link.url, { userAgent: 'facebookexternalhit/1.1' });
  await system.tap(link.url, { userAgent: IPHONE, headers: { 'sec-purpose': 'prefetch' } });
  await system.tap(link.url, {
    userAgent: IPHONE,
    headers: { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
  });
  expect((await figures('clicks', '')).total).toBe(before);
});

once.it('a country header that the operator has not named has no effect', async () => {
  await calls.tap(link.url, { headers: { 'cf-ipcountry': 'FR', 'x-country': 'FR' } });
  expect(await valuesOf('clicks', 'country')).not.toHaveProperty('FR');
});

once.it("the app's own requests tell their version and country", async () => {
  const device = newDevice();
  const headers = { 'x-app-version': '2.4.0', 'user-agent': 'Dalvik/2.1.0 (Linux; U; Android 14)' };
  const from = { ip: GERMANY, headers };
  await calls.heartbeat(app, device.body, from);
  await system.sdk(app, { path: `/api/links/get-by-slug?slug=${slugOf(link)}&appId=${app.app.id}`, ...from });
  for (const metric of ['installs', 'opens']) {
    expect(await valuesOf(metric, 'appVersion'), metric).toEqual({ '2.4.0': 1 });
    expect(await valuesOf(metric, 'country'), metric).toEqual({ DE: 1 });
    expect(await valuesOf(metric, 'platform'), metric).toEqual({ android: 1 });
  }
  expect(await valuesOf('opens', 'utmSource')).toEqual({ link: 1 });
  // Anything that is no version is left out, and is no error.
  for (const version of ['', 'x'.repeat(51), 'v\u00e4']) {
    const beat = await calls.heartbeat(app, newDevice().body, { ip: freshIp(), headers: { 'x-app-version': version } });
    expect(beat.status).toBe(200);
  }
  expect(await valuesOf('installs', 'appVersion')).toEqual({ '2.4.0': 1, null: 3 });
});

once.it('an open counts under the campaign that its link has at that time', async () => {
  const { id, url } = await system.makeLink(app, '/c?utm_campaign=june', { utm_medium: 'print' });
  const open = () =>
    system.sdk(app, { path: `/api/links/get-by-slug?slug=${slugOf({ url })}&appId=${app.app.id}`, ip: freshIp() });
  await open();
  await calls.change(patch(`/api/manage/links/${id}`, { destination: '/c?utm_campaign=july' }));
  await open();
  await calls.change(patch(`/api/manage/links/${id}`, { destination: '/c', metadata: {} }));
  await open();
  const ofLink = `&filter=link:${id}`;
  expect(await valuesOf('opens', 'utmCampaign', ofLink)).toEqual({ june: 1, july: 1, null: 1 });
  expect(await valuesOf('opens', 'utmMedium', ofLink)).toEqual({ print: 2, null: 1 });
  const path = `/api/manage/apps/${app.app.id}/analytics/events?figure=opens&filter=utmCampaign:july`;
  expect((await system.manage({ path })).json).toMatchObject({
    total: 1,
    events: [{ link: { id }, utmMedium: 'print' }],
  });
});

it('figures are counted in the zone of the app, and a change of the zone counts again', async () => {
  const before = await figures('clicks', '');
  expect(before.timeZone).toBe('Asia/Kolkata');
  expect(before.buckets[0].from).toMatch(/T18:30:00\.000Z$/);
  await calls.change(patch(`/api/manage/apps/${app.app.id}`, { timeZone: 'America/New_York' }));
  const after = await figures('clicks', '');
  expect(after.timeZone).toBe('America/New_York');
  expect(after.buckets[0].from).toMatch(/T0[45]:00:00\.000Z$/);
  expect(after.total).toBe(before.total);
  const wrong = await system.manage(patch(`/api/manage/apps/${app.app.id}`, { timeZone: 'Mars' }));
  expect(wrong.status).toBe(400);
  expect(wrong.json.details[0].path).toBe('timeZone');
});

once.it('referrals count links, taps and installs of a label', async () => {
  const { json } = await system.manage({ path: `/api/manage/apps/${app.app.id}/analytics/referrals?label=inviter` });
  expect(json.referrals).toMatchObject([{ value: 'ann', links: 1, tappedLinks: 1 }]);
  expect(json.referrals[0].clicks).toBeGreaterThanOrEqual(2);
});

const slugOf = ({ url }: { url: string }) => new URL(url).pathname.slice(1);
