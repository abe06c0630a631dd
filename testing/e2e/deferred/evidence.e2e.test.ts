// Clients may tell more of their phone than the specification has fields for. The effect is nothing for a
// client that tells nothing, fewer wrong links and more right ones for one that tells the truth, and nothing for a liar.
import { freshIp, SDK } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { expectError, linksOf, newDevice, systemOfFile } from '../calls.ts';
import { ANDROID, ANDROID_IN_FACEBOOK, IOS_CLIENT, IPHONE } from '../user-agents.ts';

const { system, calls } = await systemOfFile();
const app = await system.makeApp();

const GALAXY = ANDROID_IN_FACEBOOK.replace('Pixel 8', 'SM-S918B');
const some16 = () => Math.floor(Math.random() * 0xffff).toString(16);
const freshIpv6 = () => `2001:db8:${some16()}:${some16()}::7`;

async function tapped(ip: string, userAgent: string, one = app): Promise<string> {
  const link = await system.makeLink(one);
  await calls.tap(link.url, { ip, userAgent });
  return link.id;
}

/** Starts the app for the first time on a new device. Returns the links that it gets. */
async function started(ip: string, body: object = {}, one = app) {
  const device = newDevice().body;
  await calls.heartbeat(one, { ...device, ...body }, { ip });
  return linksOf(await calls.restore(one, { ...device, ...body }, { ip }));
}

const pixel = { platform: 'android', model: 'Pixel 8', osVersion: '14' };

describe('the model of a phone', () => {
  it('tells the tap of this phone from that of another at the address', async () => {
    const ip = freshIp();
    const link = await tapped(ip, ANDROID_IN_FACEBOOK);
    await tapped(ip, GALAXY);
    expect(await started(ip)).toEqual([]);
    expect(await started(ip, { ...pixel, model: 'pixel  8 ' })).toEqual([link]);
  });

  it('is named in the reason of the decision', async () => {
    const ip = freshIp();
    await tapped(ip, ANDROID_IN_FACEBOOK);
    await started(ip, { ...pixel, installedSecondsAgo: 0 });
    const { restores } = (await system.manage({ path: `/api/manage/apps/${app.app.id}/restores?limit=1` })).json;
    expect(restores[0].considered[0].reason).toMatch(
      /1 person there, the same model of phone, installed in the same second$/,
    );
  });
});

describe('a lie', () => {
  it.each([
    ['another model', { ...pixel, model: 'SM-S918B' }],
    ['another Android', { ...pixel, osVersion: '9' }],
    ['installed ten years ago', { ...pixel, installedSecondsAgo: 315_360_000 }],
  ])('gets nothing: %s', async (_, told) => {
    const ip = freshIp();
    await tapped(ip, ANDROID_IN_FACEBOOK);
    expect(await started(ip, told)).toEqual([]);
  });
});

describe('an IPv6 address', () => {
  const prove = (ip: string, one = app, query = '') =>
    system.sdk(one, { method: 'GET', path: `/api/address${query}`, ip });
  const tokenOf = async (ip: string, one = app, query = '') => (await prove(ip, one, query)).json.addressToken;

  it('is proved by a token, and connects a tap over IPv6 with a restore over IPv4', async () => {
    const [ipv6, ip] = [freshIpv6(), freshIp()];
    const link = await tapped(ipv6, IPHONE);
    const answer = await prove(ipv6);
    expect(answer).toMatchObject({ status: 200, json: { success: true, expiresInSeconds: 600 } });
    system.clock.advance({ minutes: 9 });
    expect(await started(ip)).toEqual([]);
    expect(await started(ip, { addressToken: answer.json.addressToken })).toEqual([link]);
  });

  it('is not proved by a token that is old, changed, or of another app or device', async () => {
    const [ipv6, ip] = [freshIpv6(), freshIp()];
    const other = await system.makeApp();
    await tapped(ipv6, IPHONE);
    const old = await tokenOf(ipv6);
    system.clock.advance({ minutes: 10 });
    const changed = (await tokenOf(ipv6)).replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A'));
    const bound = await tokenOf(ipv6, app, `?deviceFingerprint=${crypto.randomUUID()}`);
    for (const addressToken of [old, changed, bound, await tokenOf(ipv6, other), 'nonsense', '', null])
      expect(await started(ip, { addressToken }), String(addressToken)).toEqual([]);
  });

  it('is proved over IPv6 only, and with a key', async () => {
    expectError(await prove(freshIp()), 400, 'WRONG_ADDRESS_FAMILY');
    expectError(await system.send({ path: '/api/address', ip: freshIpv6() }), 401, 'UNAUTHORIZED');
  });
});

describe('an app that allows exact evidence only', () => {
  it('matches nothing by address', async () => {
    const exact = await system.makeApp({ matching: { evidence: 'exact', existingUsers: false } });
    const ip = freshIp();
    const link = await tapped(ip, ANDROID_IN_FACEBOOK, exact);
    expect(await started(ip, pixel, exact)).toEqual([]);
    const userEmail = 'kim@example.com';
    await calls.store(exact, { linkId: link, userEmail });
    expect(linksOf(await calls.restore(exact, { userEmail }, { ip }))).toEqual([link]);
  });
});

describe('the platform', () => {
  /** Tells whether a new device gets the link that the browser tapped at its address. */
  async function given(tapper: string, ask: { userAgent?: string; body?: object; heartbeat?: object }) {
    const [one, ip, device] = [await system.makeApp(), freshIp(), newDevice().body];
    const link = await tapped(ip, tapper, one);
    const from = { ip, headers: { 'user-agent': ask.userAgent ?? SDK } };
    if (ask.heartbeat) await calls.heartbeat(one, { ...device, ...ask.heartbeat }, from);
    return linksOf(await calls.restore(one, { ...device, ...ask.body }, from)).includes(link);
  }

  it('in the body of the restore decides, also against the user agent', async () => {
    expect(await given(ANDROID, { body: { platform: 'ios' } })).toBe(false);
    expect(await given(ANDROID, { body: { platform: 'android' } })).toBe(true);
    expect(await given(ANDROID, { userAgent: IOS_CLIENT })).toBe(false);
    expect(await given(ANDROID, { userAgent: IOS_CLIENT, body: { platform: 'android' } })).toBe(true);
  });

  it('in the heartbeat is known at the restore that says none', async () => {
    expect(await given(ANDROID, { heartbeat: { platform: 'ios' } })).toBe(false);
    expect(await given(IPHONE, { heartbeat: { platform: 'ios' } })).toBe(true);
    expect(await given(ANDROID, { heartbeat: { platform: 'ios' }, body: { platform: 'android' } })).toBe(true);
  });
});

it.each([
  ['model', 'x'.repeat(101)],
  ['osVersion', 14],
  ['language', 'x'.repeat(36)],
  ['addressToken', 'x'.repeat(201)],
  ['platform', 'windows'],
])('a wrong %s is refused by its name', async (field, value) => {
  for (const call of [calls.heartbeat, calls.restore]) {
    const answer = await call(app, { ...newDevice().body, [field]: value }, { ip: freshIp() });
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details).toMatchObject([{ path: field }]);
  }
});

it('a clipboard with anything else is no fault', async () => {
  for (const clipboard of ['', 'my secret', 'https://shop.example/?lf_clip=nonsense', 7, null])
    expect((await calls.restore(app, { ...newDevice().body, clipboard }, { ip: freshIp() })).status).toBe(200);
});
