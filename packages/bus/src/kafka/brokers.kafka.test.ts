// Brokers that end, come back or hang. The log keeps every acknowledged message, and the bus recovers by itself.
import { kafkaAvailable, type LocalKafka, startKafka } from '@landfall/local';
import { describeWithProgram } from '@landfall/testkit/scale-out';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { collector, errorOf } from '../conformance/gates.ts';
import { each } from '../port.ts';
import { Add, Added, freshPrefix, member } from './cluster.testing.ts';
import type { KafkaBus } from './options.ts';
import { asAdmin, clientOf, inspectionOf, running, started, stopAll } from './started.testing.ts';

afterEach(stopAll, 60_000);

/** Starts a service that answers and listens, and a gateway that sends requests and events. */
async function members({ brokers }: LocalKafka) {
  const prefix = freshPrefix();
  const heard = collector<number>();
  const service = member(brokers, prefix);
  const gateway = member(brokers, prefix);
  service.answer(
    Add,
    each(async ({ n }) => ({ reply: { n, by: 'us' } })),
  );
  const missed = collector<true>();
  gateway.watch(Added, () => {}, { onGap: () => missed.add(true) });
  service.listen('sums', Added, async (batch) => heard.add(...batch.map(({ data }) => data.n)));
  for (const bus of [service, gateway]) await started(bus);
  return { prefix, service, gateway, heard, missed };
}

/**
 * Publishes numbers one after the other on many keys until it is stopped. Records the acknowledged numbers and the
 * longest pause.
 */
function telling(bus: KafkaBus, from: number) {
  const told: number[] = [];
  let last = Date.now();
  let pause = 0;
  let stopped = false;
  let n = from;
  const tellOn = async (key: string) => {
    while (!stopped) {
      const mine = n++;
      const failed = await bus.tell(Added, { n: mine, key }).then(
        () => false,
        () => true,
      );
      if (failed) continue;
      told.push(mine);
      pause = Math.max(pause, Date.now() - last);
      last = Date.now();
    }
  };
  // Stops the loop also when the test fails. A stopped bus rejects at once, and the loop would retry for ever.
  running.push({
    async stop() {
      stopped = true;
    },
  });
  const all = Promise.all(Array.from({ length: 12 }, (_, i) => tellOn(`k${i}`)));
  return {
    told,
    /** Returns the longest time without an acknowledgement, in milliseconds. */
    pause: () => Math.max(pause, Date.now() - last),
    async stop() {
      stopped = true;
      await all;
    },
  };
}

/** Sends a request every 200 ms until it is stopped. Returns the errors of those that were not answered within a minute. */
function asking(bus: KafkaBus) {
  const asked: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const n = asked.length;
    asked.push(
      bus.ask(Add, { n, key: `k${n}` }, { timeoutMs: 60_000 }).then(
        ({ ok }) => ok,
        (error: unknown) => error,
      ),
    );
  }, 200);
  running.push({ stop: async () => clearInterval(timer) });
  return {
    async stop() {
      clearInterval(timer);
      return (await Promise.all(asked)).filter((answer) => answer !== true);
    },
  };
}

/** Expects that the listener receives every acknowledged number. Numbers without acknowledgement may arrive, too. */
async function areHeard(told: readonly number[], heard: ReturnType<typeof collector<number>>) {
  const missing = () => {
    const seen = new Set(heard.seen);
    return told.filter((n) => !seen.has(n));
  };
  await expect.poll(missing, { timeout: 30_000, interval: 100 }).toEqual([]);
}

/** Returns the groups that share work, each with its members, as the broker reports them. */
const groupsOf = (kafka: LocalKafka) =>
  asAdmin(async (admin) => {
    const { groups } = await admin.listGroups();
    const shared = groups.map(({ groupId }) => groupId).filter((group) => !group.includes('.live.'));
    const described = await admin.describeGroups(shared);
    return described.groups.map(({ groupId, members }) => [groupId, members.map(({ memberId }) => memberId)]).sort();
  }, kafka.brokers);

/**
 * Makes every broker hand out a producer id. The broker then takes a block of 1,000 ids from the controller, as in any
 * cluster that has run for a while. Without such a block, no producer can start to send while the controller is frozen.
 * That is a limit of the brokers.
 */
async function stocked(kafka: LocalKafka): Promise<void> {
  const asked = new Set<string>();
  while (asked.size < kafka.brokers.length) {
    const producer = clientOf(kafka.brokers).producer({ idempotent: true });
    producer.on(producer.events.REQUEST, ({ payload: { apiName, broker } }) => {
      if (apiName === 'InitProducerId') asked.add(broker);
    });
    await producer.connect();
    await producer.disconnect();
  }
}

const leaderOf = (kafka: LocalKafka, topic: string) =>
  asAdmin(async (admin) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    // Brokers are numbered from 1.
    return topics[0]!.partitions[0]!.leader - 1;
  }, kafka.brokers);

describeWithProgram(kafkaAvailable(), 'one broker', () => {
  test('is killed under load and comes back: refusals meanwhile, recovery within 10 s, nothing lost', {
    timeout: 120_000,
  }, async () => {
    const kafka = await startKafka();
    running.push(kafka);
    const { gateway, service, heard, missed } = await members(kafka);
    const load = telling(gateway, 0);
    await heard.first(200);
    const groups = await groupsOf(kafka);
    await kafka.kill();
    for (let i = 0; i < 3; i++) {
      const error = await errorOf(gateway.ask(Add, { n: 1 }, { timeoutMs: 1_500 }));
      expect(['Busy', 'NoAnswer']).toContain((error as Error).name);
    }
    await expect.poll(() => gateway.health().troubles.length, { timeout: 10_000 }).toBeGreaterThan(0);
    // The watcher learns that its cache may be out of date.
    await missed.first(1);
    await kafka.restart();
    const back = Date.now();
    await expect
      .poll(() => gateway.ask(Add, { n: 2 }, { timeoutMs: 500 }).catch(() => undefined), {
        timeout: 30_000,
        interval: 50,
      })
      .toMatchObject({ ok: true });
    expect(Date.now() - back).toBeLessThan(10_000);
    const before = load.told.length;
    await expect.poll(() => load.told.length, { timeout: 20_000 }).toBeGreaterThan(before + 100);
    await load.stop();
    await areHeard(load.told, heard);
    for (const bus of [gateway, service])
      await expect.poll(() => bus.health().troubles, { timeout: 10_000 }).toEqual([]);
    // The members are the same as before. A member that had left would have to wait until its session times out.
    expect(await groupsOf(kafka)).toEqual(groups);
  });
});

describeWithProgram(kafkaAvailable(), 'three brokers', () => {
  // One cluster for all tests, because a start takes long. A test that ends a broker starts it again.
  let kafka: LocalKafka;
  beforeAll(async () => {
    kafka = await startKafka({ brokers: 3 });
    await stocked(kafka);
  }, 60_000);
  afterAll(() => kafka?.stop(), 60_000);

  test('of which one ended: it is named, and so is what it leaves without leader, without writes and with a copy less', {
    timeout: 120_000,
  }, async () => {
    const prefix = freshPrefix();
    const others = kafka.brokers.slice(1);
    const topics = ['alone', 'strict', 'usual'].map((name) => `${prefix}${name}`);
    const [alone, strict, usual] = topics as [string, string, string];
    const replicas = (ids: number[]) => ({ replicaAssignment: [{ partition: 0, replicas: ids }] });
    const inSync = (n: number) => ({ configEntries: [{ name: 'min.insync.replicas', value: `${n}` }] });
    const wanted = [
      { topic: alone, ...replicas([1]), ...inSync(1) },
      { topic: strict, ...replicas([2, 1, 3]), ...inSync(3) },
      { topic: usual, ...replicas([2, 1, 3]), ...inSync(2) },
    ];
    await asAdmin((admin) => admin.createTopics({ waitForLeaders: true, topics: wanted }), others);
    const inspection = inspectionOf(kafka.brokers, prefix);
    const healed = () => expect.poll(() => inspection.partitions(topics), { timeout: 30_000 }).toEqual([]);
    await healed();
    expect(await inspection.brokers()).toEqual(kafka.brokers.map((address) => ({ address })));

    const found = () => inspectionOf(others, prefix).partitions(topics);
    await kafka.kill(0);
    await expect.poll(found, { timeout: 30_000 }).toEqual([{ what: 'leader' }]);
    await kafka.restart(0);
    await healed();
    await asAdmin((admin) => admin.deleteTopics({ topics: [alone] }), others);
    await kafka.kill(0);
    const less = [
      { topic: strict, partition: 0, what: 'writes' },
      { topic: usual, partition: 0, what: 'copies' },
    ];
    await expect.poll(found, { timeout: 30_000 }).toEqual(expect.arrayContaining(less));
    const states = await inspectionOf(kafka.brokers, prefix).brokers();
    expect(states.find(({ address }) => address === kafka.brokers[0])?.fault).toContain('ECONNREFUSED');
    expect(states.filter(({ fault }) => fault === undefined)).toHaveLength(2);
    await kafka.restart(0);
    await healed();
  });

  for (const [how, fail, mend] of [
    ['killed', (leader: number) => kafka.kill(leader), (leader: number) => kafka.restart(leader)],
    ['frozen', async (leader: number) => kafka.freeze(leader), async (leader: number) => kafka.thaw(leader)],
  ] as const) {
    test(`of which a leader is ${how} under load lose nothing and pause for less than 20 s`, {
      timeout: 180_000,
    }, async () => {
      const { prefix, gateway, heard } = await members(kafka);
      const load = telling(gateway, 0);
      await heard.first(200);
      const leader = await leaderOf(kafka, `${prefix}sum.added`);
      await fail(leader);
      const answers = asking(gateway);
      const before = load.told.length;
      await expect.poll(() => load.told.length, { timeout: 60_000 }).toBeGreaterThan(before + 500);
      expect(await gateway.ask(Add, { n: 1 }, { timeoutMs: 20_000 })).toMatchObject({ ok: true });
      // An answer may be late. It is not lost while the consumer of answers is replaced.
      expect(await answers.stop()).toEqual([]);
      await load.stop();
      expect(load.pause()).toBeLessThan(20_000);
      await areHeard(load.told, heard);
      await mend(leader);
    });
  }
});
