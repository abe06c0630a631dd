import { createLogger, parsePushCredentials, writePushCredentials } from '@landfall/runtime';
import { type Fakes, startFakes } from '@landfall/testkit/push';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLogProvider } from './log.ts';
import { message, pushTo } from './providers.testing.ts';
import { createProviders } from './providers.ts';

let nth = 0;
/** Gives another key each time, because sealing the same text twice gives two different texts. */
const written = (kind: 'fcm' | 'apns', file: object) => ({
  key: `${nth++}`,
  opened: writePushCredentials(parsePushCredentials(kind, file).credentials),
});

const SENT = { kind: 'sent', logged: false };
const CLOSING = { kind: 'retry', reason: 'closing' };

let fakes: Fakes;
let providers: ReturnType<typeof createProviders>;
const make = (most?: number) => {
  const { ca, fcm, apns } = fakes;
  providers = createProviders({ ca, fcmUrl: fcm.url, apnsUrl: apns.url, ...(most ? { most } : {}) });
  return providers;
};

beforeAll(async () => {
  fakes = await startFakes();
});
afterEach(() => providers.close());
afterAll(() => fakes.close());

describe('the connections of apps', () => {
  test('are made once and serve both providers', async () => {
    make();
    const [fcm, apns] = [written('fcm', fakes.fcm.account()), written('apns', fakes.apns.key())];
    const one = providers.get('a', 'fcm', fcm);
    expect(providers.get('a', 'fcm', fcm)).toBe(one);
    expect(await one.send(pushTo('fcm'))).toMatchObject(SENT);
    expect(await providers.get('a', 'apns', apns).send(pushTo('apns'))).toMatchObject(SENT);
    expect(providers.get('b', 'fcm', fcm)).not.toBe(one);
  });

  test('are replaced with the credentials; what is under way ends well', async () => {
    make();
    fakes.fcm.change({ latencyMs: 100 });
    const old = providers.get('a', 'fcm', written('fcm', fakes.fcm.account()));
    const underWay = old.send(pushTo('fcm'));
    const next = providers.get('a', 'fcm', written('fcm', fakes.fcm.account()));
    expect(next).not.toBe(old);
    expect(await old.send(pushTo('fcm'))).toMatchObject(CLOSING);
    expect(await underWay).toMatchObject(SENT);
    expect(await next.send(pushTo('fcm'))).toMatchObject(SENT);
    fakes.fcm.change({ latencyMs: 0 });
  });

  test('are replaced by those of the same credentials under another key', async () => {
    make();
    const credentials = written('fcm', fakes.fcm.account());
    const old = providers.get('a', 'fcm', credentials);
    expect(providers.get('a', 'fcm', { ...credentials })).toBe(old);
    const next = providers.get('a', 'fcm', { ...credentials, key: 'another' });
    expect(await old.send(pushTo('fcm'))).toMatchObject(CLOSING);
    expect(await next.send(pushTo('fcm'))).toMatchObject(SENT);
  });

  test('are bounded: those go that were not used for the longest time', async () => {
    make(2);
    const credentials = written('apns', fakes.apns.key());
    const [a, b] = [providers.get('a', 'apns', credentials), providers.get('b', 'apns', credentials)];
    providers.get('a', 'apns', credentials);
    const c = providers.get('c', 'apns', credentials);
    expect(await b.send(pushTo('apns'))).toMatchObject(CLOSING);
    expect(await a.send(pushTo('apns'))).toMatchObject(SENT);
    expect(await c.send(pushTo('apns'))).toMatchObject(SENT);
  });

  test('are closed in the end', async () => {
    make();
    const provider = providers.get('a', 'fcm', written('fcm', fakes.fcm.account()));
    expect(await provider.send(pushTo('fcm'))).toMatchObject(SENT);
    await providers.close();
    await expect.poll(() => fakes.fcm.connections()).toBe(0);
    expect(await provider.send(pushTo('fcm'))).toMatchObject(CLOSING);
  });

  test('that cannot be opened leave those that there are', async () => {
    make();
    const credentials = written('fcm', fakes.fcm.account());
    const provider = providers.get('a', 'fcm', credentials);
    expect(() => providers.get('a', 'fcm', { key: 'another', opened: 'nothing' })).toThrow();
    expect(providers.get('a', 'fcm', credentials)).toBe(provider);
  });

  test('trust nobody else', async () => {
    providers = createProviders({ fcmUrl: fakes.fcm.url, apnsUrl: fakes.apns.url });
    const refused = { retryAfterMs: null, reason: expect.stringMatching(/^(unreachable|no-access-token)$/) };
    expect(await providers.get('a', 'apns', written('apns', fakes.apns.key())).send(pushTo('apns'))).toMatchObject(
      refused,
    );
    expect(await providers.get('a', 'fcm', written('fcm', fakes.fcm.account())).send(pushTo('fcm'))).toMatchObject(
      refused,
    );
  });
});

test('without credentials the log says that a push would be sent, and neither to whom nor what it says', async () => {
  make();
  const log = createLogger({ service: 'push', level: 'silent' });
  const info = vi.spyOn(log, 'info');
  const provider = createLogProvider('a', 'fcm', log);
  const push = pushTo('fcm', 'a', {
    token: 'the-token'.repeat(10),
    message: { ...message, metadata: { email: 'ada@example.com' } },
  });
  expect(await provider.send(push)).toEqual({ kind: 'sent', providerId: null, logged: true });
  const said = JSON.stringify(info.mock.calls);
  for (const part of [
    '"titleLength":4',
    '"bodyLength":16',
    '"destination":true',
    '"email"',
    '"fcm"',
    push.notificationId,
  ])
    expect(said).toContain(part);
  expect(said).not.toMatch(/the-token|ada@|Sale|Half price|offers/);
});
