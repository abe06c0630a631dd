// Two gateways that share limits, with Redis and without Redis.
import { randomUUID } from 'node:crypto';
import {
  describeWithProgram,
  freshIp,
  type LocalRedis,
  redisAvailable,
  type System,
  send,
  startRedis,
  startSystem,
} from '@landfall/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWithProgram(redisAvailable(), 'two gateways with one Redis', () => {
  let redis: LocalRedis;
  let systems: System[];
  beforeAll(async () => {
    redis = await startRedis();
    systems = await Promise.all([1, 2].map(() => startSystem({ REDIS_URL: redis.url })));
  });
  afterAll(async () => {
    for (const system of systems) await system.stop();
    await redis.stop();
  });

  /** Returns the check of the limits in /readyz of each gateway. */
  const checks = () =>
    Promise.all(
      systems.map(async (system) => {
        const { status, json } = await send(system.port, { path: '/readyz' });
        expect(status).toBe(200);
        return json.checks.limits;
      }),
    );
  /** Returns the remaining calls of a new address: from each gateway in turn, twice. */
  async function left(): Promise<number[]> {
    const ip = freshIp();
    const path = `/api/links/get-by-slug?slug=x&appId=${randomUUID()}`;
    const answers = [];
    for (const system of [...systems, ...systems]) answers.push(await system.send({ path, ip }));
    return answers.map(({ headers }) => Number(headers['ratelimit-remaining']));
  }
  const together = [29, 28, 27, 26];
  const soon = { timeout: 10_000 };

  it('count an address together; without Redis each for itself; and together again', async () => {
    await expect.poll(left, soon).toEqual(together);
    expect(await checks()).toEqual([{ ok: true }, { ok: true }]);

    await redis.kill();
    expect(await left()).toEqual([29, 29, 28, 28]);
    const away = {
      ok: true,
      detail: expect.stringContaining('rate limits are counted in memory: Redis is down since'),
    };
    expect(await checks()).toEqual([away, away]);

    redis = await startRedis({ port: redis.port });
    await expect.poll(left, soon).toEqual(together);
    expect(await checks()).toEqual([{ ok: true }, { ok: true }]);
  });
});
