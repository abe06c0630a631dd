// Steps that reach another gateway than their tap. Needs `redis-server` on this machine.
import { connectRedis } from '@landfall/http';
import { describeWithProgram, type LocalRedis, redisAvailable, startRedis } from '@landfall/testkit';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSteps, memoryInRedis, memoryOfGateway, type StepRequest, type Steps } from './steps.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const INSIDE = { browser: 'in-instagram', platform: 'ios', inApp: true, exit: 'instagram-extbrowser', onOpen: false };
const OUTSIDE = { ...INSIDE, browser: 'safari', inApp: false };
const at = (linkId: string, facts: Omit<StepRequest, 'linkId' | 'address'>) => ({
  linkId,
  address: '1.2.3.4',
  ...facts,
});
const tapped = (tapId: string) => ({ tapId, tappedAt: new Date(NOW).toISOString() });

let server: LocalRedis;
const connections: Redis[] = [];

async function gateway(now = NOW): Promise<Steps> {
  const redis = connectRedis(server.url);
  redis.on('error', () => {});
  connections.push(redis);
  await new Promise((ready) => redis.once('ready', ready));
  const shared = memoryInRedis({
    redis,
    isUp: () => redis.status === 'ready',
    withinMs: 1_000,
    keyOf: (key) => `hash-${key.length}-of-${key.slice(0, 6)}`,
  });
  return createSteps(memoryOfGateway(), shared, () => now);
}

describeWithProgram(redisAvailable(), 'steps of a tap, with several gateways', () => {
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await server?.stop();
  });

  it('are known to each of them, at most four', async () => {
    const [first, second] = [await gateway(), await gateway()];
    await first.remember(at('link-a', INSIDE), tapped('tap-a'));
    expect(await second.next(at('link-a', OUTSIDE))).toMatchObject({ tapId: 'tap-a' });
    // The second browser of the tap is taken. It was on the other gateway.
    expect(await first.next(at('link-a', { ...OUTSIDE, browser: 'of-somebody-else' }))).toBeNull();
    expect(await first.next(at('link-a', OUTSIDE))).toMatchObject({ tapId: 'tap-a' });
    expect(await second.next(at('link-a', OUTSIDE))).toMatchObject({ tapId: 'tap-a' });
    expect(await second.next(at('link-a', OUTSIDE))).toMatchObject({ tapId: 'tap-a' });
    expect(await first.next(at('link-a', OUTSIDE))).toBeNull();
  });

  it('follow the tap for ten minutes', async () => {
    await (await gateway()).remember(at('link-b', INSIDE), tapped('tap-b'));
    expect(await (await gateway(NOW + 10 * 60_000)).next(at('link-b', OUTSIDE))).toBeNull();
    expect(await (await gateway(NOW + 10 * 60_000 - 1)).next(at('link-b', OUTSIDE))).not.toBeNull();
  });

  it('show no address to Redis, and nothing stays for longer', async () => {
    await (await gateway()).remember(at('link-c', INSIDE), tapped('tap-c'));
    const admin = connections[0]!;
    const [key = ''] = (await admin.keys('*')).filter((one) => one.includes('link-c'));
    expect(key).not.toContain('1.2.3.4');
    expect(await admin.get(key)).not.toContain('1.2.3.4');
    expect(await admin.pttl(key)).toBeGreaterThan(0);
  });

  it('are known to the gateway of the tap while Redis is down', async () => {
    const alone = await gateway();
    connections.at(-1)!.disconnect();
    await alone.remember(at('link-d', INSIDE), tapped('tap-d'));
    expect(await alone.next(at('link-d', OUTSIDE))).toMatchObject({ tapId: 'tap-d' });
    expect(await (await gateway()).next(at('link-d', OUTSIDE))).toBeNull();
  });
});
