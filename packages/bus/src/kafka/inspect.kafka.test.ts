// Inspects real brokers and groups: waiting messages and their age, and brokers that do not answer.
import { describeWithKafka } from '@landfall/testkit';
import { type Admin, type Assigner, Kafka, type PartitionAssigner, PartitionAssigners } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freshPrefix, quiet } from './cluster.testing.ts';
import { openSettling } from './settled.testing.ts';
import { asAdmin, clientOf, inspectionOf, running, stopAll, write } from './started.testing.ts';

const HOUR_MS = 3_600_000;
afterAll(stopAll);

describeWithKafka('what waits for a group', (brokers) => {
  const prefix = freshPrefix();
  const topic = `${prefix}link.commands`;
  beforeAll(async () => {
    const topics = [{ topic, numPartitions: 1, replicationFactor: 1 }];
    await asAdmin((admin) => admin.createTopics({ waitForLeaders: true, topics }));
    const ages = [25 * HOUR_MS, 2 * HOUR_MS, 0];
    await write(topic, ...ages.map((age) => ({ value: '{}', timestamp: `${Date.now() - age}` })));
  });

  const waiting = async () => {
    const groups = await inspectionOf(brokers, prefix).groups();
    return groups.find(({ group }) => group === 'link.commands');
  };
  const committed = (offset: string) =>
    asAdmin((admin) => admin.setOffsets({ groupId: topic, topic, partitions: [{ partition: 0, offset }] }));

  test('is all there is before it commits, and what lies behind its offset afterwards', async () => {
    expect(await waiting()).toEqual({ group: 'link.commands', members: 0, lag: 3, waitedMs: 24 * HOUR_MS });
    await committed('1');
    expect(await waiting()).toMatchObject({ lag: 2, waitedMs: HOUR_MS });
    await committed('2');
    expect(await waiting()).toMatchObject({ lag: 1, waitedMs: 0 });
  });
});

describe('no broker at all', () => {
  test('is said of each, at once', async () => {
    const states = await inspectionOf(['127.0.0.1:1', '127.0.0.1:2'], '').brokers();
    expect(states.map(({ address, fault }) => [address, Boolean(fault)])).toEqual([
      ['127.0.0.1:1', true],
      ['127.0.0.1:2', true],
    ]);
  });
});

describeWithKafka('settling', (brokers) => {
  test('waits for a group that is in a rebalance', async () => {
    const prefix = freshPrefix();
    const topic = `${prefix}link.commands`;
    await asAdmin((admin) => admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 1 }] }));
    const begun = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const slow: PartitionAssigner = (config) => {
      const assigner = PartitionAssigners.roundRobin(config);
      const assign: Assigner['assign'] = async (members) => {
        begun.resolve();
        await finished.promise;
        return assigner.assign(members);
      };
      return { ...assigner, assign };
    };
    const consumer = clientOf(brokers).consumer({ groupId: topic, partitionAssigners: [slow] });
    await consumer.connect();
    running.push({ stop: () => consumer.disconnect() });
    await consumer.subscribe({ topic });
    const ran = consumer.run({ eachMessage: async () => {} });
    await begun.promise;
    const settling = openSettling({ brokers }, quiet, prefix);
    running.push({ stop: () => settling.close() });
    // The rebalance ends only after settling has looked at the group in it.
    const states: string[] = [];
    const open = Kafka.prototype.admin;
    const spy = vi.spyOn(Kafka.prototype, 'admin').mockImplementation(function look(this: Kafka) {
      const admin = open.call(this);
      const describeGroups: Admin['describeGroups'] = async (ids) => {
        const answer = await admin.describeGroups(ids);
        states.push(...answer.groups.map(({ state }) => state));
        finished.resolve();
        return answer;
      };
      return { ...admin, describeGroups };
    });
    await Promise.all([ran, settling.settled()]).finally(() => spy.mockRestore());
    expect(states[0]).toBe('CompletingRebalance');
    expect(states.at(-1)).toBe('Stable');
  });
});
