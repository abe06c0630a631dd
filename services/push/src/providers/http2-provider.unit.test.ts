// What both providers do alike, each against a server that speaks the protocol of its vendor.
import { makeAppleKey, makeServiceAccount, startFakes } from '@landfall/testkit/push';
import { describe, expect, test } from 'vitest';
import { between, countOf, listening, message, providerFixture, pushTo } from './providers.testing.ts';

const fixture = providerFixture();

const UNREACHABLE = { kind: 'retry', reason: 'unreachable', retryAfterMs: null };
/** FCM needs an access token before it is sent anything. */
const nothingSent = {
  fcm: { kind: 'wait', whom: 'all', reason: 'no-access-token', retryAfterMs: null },
  apns: UNREACHABLE,
};
const refusal = { fcm: 'invalid_grant', apns: 'InvalidProviderToken' };
const complaint = { fcm: 'INVALID_ARGUMENT', apns: 'BadDeviceToken' };

describe.each(['fcm', 'apns'] as const)('%s', (kind) => {
  const fake = () => fixture.fakes[kind];
  const push = (name?: string) => pushTo(kind, name);

  test('Retry-After is handed on at once, and the push goes out once', async () => {
    fake().change({ retryAfterSeconds: 30, behave: (_, attempt) => (attempt === 1 ? 'unavailable' : 'quota') });
    const provider = fixture.provider(kind);
    expect(await provider.send(push())).toMatchObject({ kind: 'wait', whom: 'all', retryAfterMs: 30_000 });
    const whom = kind === 'fcm' ? 'all' : 'device';
    expect(await provider.send(push())).toMatchObject({ kind: 'wait', whom, retryAfterMs: 30_000 });
    expect(fake().received.all).toHaveLength(2);
  });

  test.each([
    ['hang', 'timeout'],
    ['reset', 'connection-lost'],
  ] as const)('%s: nobody knows, and it was asked once', async (behaviour, reason) => {
    fake().change({ behave: () => behaviour });
    expect(await fixture.provider(kind, { timeoutMs: 500 }).send(push())).toEqual({ kind: 'unknown', reason });
    expect(fake().received.all).toHaveLength(1);
  });

  test('a server that does not finish its handshake has been sent nothing', async () => {
    const { port, close } = await listening(() => {});
    const provider = fixture.provider(kind, { port, timeoutMs: 300 });
    expect(await provider.send(push())).toEqual(nothingSent[kind]);
    // The unfinished handshake does not delay `close`.
    await provider.close();
    await close();
  });

  test('a push that is too large is not sent', async () => {
    const large = pushTo(kind, 'a', { message: { ...message, body: 'x'.repeat(4_000) } });
    expect(await fixture.provider(kind).send(large)).toEqual({ kind: 'fail', reason: 'payload-too-large' });
    expect(fake().received.all).toHaveLength(0);
  });

  test('it closes when all have their outcome, and sends nothing after that', async () => {
    fake().change({ latencyMs: 100 });
    const provider = fixture.provider(kind);
    const outcomes = fixture.sendMany(kind, provider, 200);
    await provider.close();
    expect(countOf(await outcomes)).toEqual({ sent: 200 });
    expect(await provider.send(push())).toEqual({ kind: 'retry', reason: 'closing', retryAfterMs: null });
  });

  describe('credentials', () => {
    test('that nobody knows stop everything, and no token is touched', async () => {
      const { file } = kind === 'fcm' ? makeServiceAccount() : makeAppleKey();
      const provider = fixture.provider(kind, { file });
      expect(await provider.send(push())).toEqual({ kind: 'pause', reason: refusal[kind] });
      expect(await provider.check()).toEqual({ taken: false, reason: refusal[kind] });
      expect(fake().received.all).toHaveLength(0);
    });

    test('of another app than that of the tokens stop it after some', async () => {
      fake().change({ behave: () => 'stray' });
      const outcomes = await fixture.sendMany(kind, fixture.provider(kind), 100);
      expect(countOf(outcomes)).toEqual({ fail: 19, pause: 81 });
    });

    test('are checked without sending anything to anybody', async () => {
      expect(await fixture.provider(kind).check()).toEqual({ taken: true, reason: complaint[kind] });
      expect(fake().received.all).toHaveLength(0);
    });
  });

  describe('a connection', () => {
    /** Sends a push, so that there is a connection, and 200 that the server has and does not answer yet. */
    async function underWay(latencyMs: number) {
      const provider = fixture.provider(kind);
      await provider.send(push('f0'));
      fake().change({ latencyMs });
      const before = fake().asked();
      const outcomes = fixture.sendMany(kind, provider, 200);
      await expect.poll(() => fake().asked() - before, { timeout: 3_000 }).toBe(200);
      return { provider, outcomes, asked: () => fake().asked() - before };
    }

    test('that the server ends finishes what it has, and the next pushes go over another', async () => {
      const { provider, outcomes } = await underWay(60_000);
      fake().goAway();
      const after = fixture.sendMany(kind, provider, 100, 200);
      fake().change({ latencyMs: 0 });
      expect(countOf([...(await outcomes), ...(await after)])).toEqual({ sent: 300 });
      expect(fixture.taken(kind)).toEqual({ pushes: 301, devices: 301 });
    });

    test('may refuse the last ones unseen: they go out again at once, and none twice', async () => {
      const { outcomes, asked } = await underWay(60_000);
      fake().goAway('refusing');
      fake().change({ latencyMs: 0 });
      expect(countOf(await outcomes)).toEqual({ sent: 200 });
      expect(asked()).toBeGreaterThan(200);
      expect(fixture.taken(kind)).toEqual({ pushes: 201, devices: 201 });
    });

    test('may die: nobody knows of what it had, and the next push goes over another', async () => {
      const { provider, outcomes } = await underWay(60_000);
      fake().goAway('abrupt');
      fake().change({ latencyMs: 0 });
      expect(await outcomes).toEqual(Array(200).fill({ kind: 'unknown', reason: 'connection-lost' }));
      expect(await provider.send(push('f1'))).toMatchObject({ kind: 'sent' });
    });

    test('that ends again and again loses no push and sends none twice', async () => {
      let looked = 0;
      const endAll = () => {
        if (++looked % 200 === 0) setImmediate(() => fake().goAway());
        return undefined;
      };
      fake().change({ latencyMs: 20, behave: endAll });
      const provider = fixture.provider(kind);
      const outcomes = [];
      for (let round = 0; round < 2; round++)
        outcomes.push(...(await fixture.sendMany(kind, provider, 400, round * 400)));
      expect(countOf(outcomes)).toEqual({ sent: 800 });
      expect(fixture.taken(kind)).toEqual({ pushes: 800, devices: 800 });
    });

    test('takes no more streams at a time than its server allows', async () => {
      const narrow = { maxConcurrentStreams: 10, latencyMs: 10 };
      const apart = await startFakes({ fcm: narrow, apns: narrow });
      const file = kind === 'fcm' ? apart.fcm.account() : apart.apns.key();
      const provider = fixture.provider(kind, { file, port: fixture.portOf(kind, apart), ca: apart.ca });
      expect(countOf(await fixture.sendMany(kind, provider, 150))).toEqual({ sent: 150 });
      await provider.close();
      await apart.close();
    });

    test('that falls silent is left behind', async () => {
      const { port, fallSilent, close } = await between(fixture.portOf(kind));
      const provider = fixture.provider(kind, { port, timeoutMs: 1_000 });
      expect(await provider.send(push('a'))).toMatchObject({ kind: 'sent' });
      fallSilent();
      expect(await provider.send(push('b'))).toEqual({ kind: 'unknown', reason: 'timeout' });
      expect(await provider.send(push('c'))).toMatchObject({ kind: 'sent' });
      await provider.close();
      await close();
    });
  });
});
