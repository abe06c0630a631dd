// Who is given a pending link, and who is not: the rules of matching, each by a case from outside.
import { freshIp, type System, startSystem } from '@landfall/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, linksOf, newDevice } from './calls.ts';

let system: System;
let calls: ReturnType<typeof callsOf>;
beforeAll(async () => {
  system = await startSystem();
  calls = callsOf(system);
});
afterAll(() => system.stop());

/** An app with one link. */
async function appWithLink() {
  const app = await system.makeApp({ android: { package: 'com.example.app' } });
  return { app, link: await system.makeLink(app), ip: freshIp() };
}

describe('a first start that fails', () => {
  it('is repeated, and finds the link all the same', async () => {
    const { app, link, ip } = await appWithLink();
    await calls.tap(link.url, { ip });
    const { body } = newDevice();
    await calls.heartbeat(app, body, { ip });
    system.clock.advance({ seconds: 32 });
    await calls.heartbeat(app, body, { ip });
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([link.id]);
  });

  it.each([
    ['from another address', {}, { minutes: 1 }],
    ['from another user agent', { headers: { 'user-agent': 'openlynk-flutter-sdk/0.2.0' } }, { minutes: 1 }],
    ['after more than ten minutes', {}, { minutes: 11 }],
  ])('is another phone of the same model when it is repeated %s', async (how, from, later) => {
    const { app, link, ip } = await appWithLink();
    const { body, deviceFingerprint } = newDevice();
    await calls.store(app, { linkId: link.id, deviceFingerprint });
    await calls.heartbeat(app, body, { ip });
    system.clock.advance(later);
    await calls.heartbeat(app, body, { ip: how === 'from another address' ? freshIp() : ip, ...from });
    expect(linksOf(await calls.restore(app, body, { ip }))).toEqual([]);
  });
});
