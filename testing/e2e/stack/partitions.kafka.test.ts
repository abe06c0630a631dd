// Adds partitions while the product runs under load, as docs/guides/scaling-out.md describes it as safe.
import { describeScaledOut, openTopics, type Topics } from '@landfall/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertKept, type Balancer, balancer, makeShop, startLoad } from './load.ts';
import { stackOfSuite } from './stack-of-suite.ts';

const MORE = 7;

describeScaledOut('partitions that are added', (brokers, redisUrl) => {
  const suite = stackOfSuite({
    brokers,
    redisUrl,
    processes: { gateway: 2, link: 2, attribution: 2, console: 2 },
    env: { RATE_LIMITS: 'manage=1000000' },
    restart: false,
  });
  let topics: Topics;
  let ask: Balancer;
  beforeAll(async () => {
    topics = openTopics(brokers, suite.prefix);
    ask = balancer(suite.stack);
  });
  afterAll(async () => {
    ask?.close();
    await topics?.close();
  });

  it('under load, then every process is started again, workers first: no request fails, nothing is lost, all are used', {
    timeout: 180_000,
  }, async () => {
    const shop = await makeShop(ask, 'shop');
    const load = startLoad(ask, shop);
    await load.rounds(12);
    await topics.addPartitions(MORE);
    await load.rounds(12);
    const isGateway = (name: string) => name.startsWith('gateway');
    const { processes } = suite.stack;
    for (const process of [
      ...processes.filter(({ name }) => !isGateway(name)),
      ...processes.filter(({ name }) => isGateway(name)),
    ]) {
      await process.term();
      await load.rounds(4);
      await process.start();
    }
    await load.rounds(40);
    const done = await load.stop();
    expect(load.failures).toEqual([]);
    await assertKept(suite.database, shop, done);
    for (const topic of ['link.commands', 'link.clicked'])
      expect((await topics.counts(topic)).map((count) => count > 0)).toEqual(new Array(MORE).fill(true));
    expect(suite.said.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  });
});
