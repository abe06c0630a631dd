// The platform of a client, from its user agent or its body. A client of the other platform must not get the link.
import { freshIp, type Received, type System, startSystem } from '@landfall/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsOf, expectError, linksOf, newDevice } from '../calls.ts';
import { ANDROID, ANDROID_CLIENTS, IOS_CLIENT, IPHONE } from '../user-agents.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
});
afterAll(() => system.stop());

const SDK = 'openlynk-flutter-sdk/0.1.0';
const by = (userAgent: string) => ({ 'user-agent': userAgent });

/**
 * Taps a link with the first user agent. Returns whether a new device gets the link when it asks as the given client at
 * the same address.
 */
async function given(tapper: string, ask: { client: string; body?: object; heartbeat?: object }): Promise<boolean> {
  const app = await system.makeApp();
  const link = await system.makeLink(app);
  const ip = freshIp();
  await calls.tap(link.url, { ip, userAgent: tapper });
  const { body } = newDevice();
  const from = { ip, headers: by(ask.client) };
  if (ask.heartbeat !== undefined) await calls.heartbeat(app, { ...body, ...ask.heartbeat }, from);
  const answer: Received = await calls.restore(app, { ...body, ...ask.body }, from);
  expect(answer.status).toBe(200);
  return linksOf(answer).includes(link.id);
}

it.each(ANDROID_CLIENTS)('%s is given no tap of an iPhone, and an Android one', async (client) => {
  expect(await given(IPHONE, { client })).toBe(false);
  expect(await given(ANDROID, { client })).toBe(true);
});

it('CFNetwork on Darwin is given no Android tap, and one of an iPhone', async () => {
  expect(await given(ANDROID, { client: IOS_CLIENT })).toBe(false);
  expect(await given(IPHONE, { client: IOS_CLIENT })).toBe(true);
});

it('a platform in the body of the restore decides, also against the user agent', async () => {
  expect(await given(ANDROID, { client: SDK, body: { platform: 'ios' } })).toBe(false);
  expect(await given(IPHONE, { client: SDK, body: { platform: 'android' } })).toBe(false);
  expect(await given(ANDROID, { client: SDK, body: { platform: 'android' } })).toBe(true);
  expect(await given(ANDROID, { client: IOS_CLIENT, body: { platform: 'android' } })).toBe(true);
  expect(await given(IPHONE, { client: ANDROID_CLIENTS[1], body: { platform: 'ios' } })).toBe(true);
});

it('a platform in the heartbeat is known at the restore that says none', async () => {
  expect(await given(ANDROID, { client: SDK, heartbeat: { platform: 'ios' } })).toBe(false);
  expect(await given(IPHONE, { client: SDK, heartbeat: { platform: 'ios' } })).toBe(true);
  expect(await given(ANDROID, { client: SDK, heartbeat: { platform: 'ios' }, body: { platform: 'android' } })).toBe(
    true,
  );
});

it('a client that says nothing is given either', async () => {
  expect(await given(ANDROID, { client: SDK })).toBe(true);
  expect(await given(IPHONE, { client: SDK })).toBe(true);
});

it('of two taps at an address the one on the other platform is no rival', async () => {
  const app = await system.makeApp();
  const [own, other] = [await system.makeLink(app, '/own'), await system.makeLink(app, '/other')];
  const ip = freshIp();
  await calls.tap(own.url, { ip, userAgent: IPHONE });
  await calls.tap(other.url, { ip, userAgent: ANDROID });
  const answer = await calls.restore(app, newDevice().body, { ip, headers: by(IOS_CLIENT) });
  expect(linksOf(answer)).toEqual([own.id]);
});

it.each([...ANDROID_CLIENTS, IOS_CLIENT])(
  '%s that fetches a link gets its preview, and leaves nothing',
  async (client) => {
    const app = await system.makeApp();
    const link = await system.makeLink(app);
    const ip = freshIp();
    const answer = await calls.tap(link.url, { ip, userAgent: client });
    expect(answer.status).toBe(200);
    expect(linksOf(await calls.restore(app, newDevice().body, { ip }))).toEqual([]);
  },
);

it.each(['windows', ' ', 'iOS', 7])('refuses the platform %j, naming the field', async (platform) => {
  const app = await system.makeApp();
  for (const call of [calls.restore, calls.heartbeat]) {
    const answer = await call(app, { ...newDevice().body, platform });
    expectError(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details[0].path).toBe('platform');
  }
});
