// Backlogs as the brokers report them. Only the brokers know the ages, partitions and offsets.
import { describeWithKafka } from '@landfall/testkit/scale-out';
import { Kafka, logLevel } from 'kafkajs';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { IN_TIME } from '../../conformance/backlogs.ts';
import { gate } from '../../conformance/gates.ts';
import { createClient } from '../client.ts';
import { Added, freshPrefix, member, quiet } from '../cluster.testing.ts';
import type { KafkaBus } from '../options.ts';
import { eventHeaders } from '../wire.ts';
import { openBacklogReader } from './backlog.ts';

const brokers = inject('kafkaBrokers').split(',');
const running: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

async function started(bus: KafkaBus): Promise<KafkaBus> {
  running.push(bus);
  await bus.start();
  return bus;
}

function readerOf(prefix: string) {
  const reader = openBacklogReader(
    createClient('test', { brokers }, quiet, 'none'),
    `${prefix}sums`,
    `${prefix}sum.added`,
  );
  running.push({ stop: () => reader.close() });
  return reader;
}

/** Writes an event into a partition, with a time that lies this many seconds in the past. */
async function write(prefix: string, partition: number, secondsAgo: number): Promise<void> {
  const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  const at = Date.now() - secondsAgo * 1_000;
  const headers = eventHeaders({ name: 'Added', id: crypto.randomUUID(), time: at, trace: undefined }, '/test', 'k');
  const message = { key: 'k', partition, value: '{"n":1}', headers, timestamp: `${at}` };
  await producer.send({ topic: `${prefix}sum.added`, messages: [message] });
  await producer.disconnect();
}

describeWithKafka('a backlog', () => {
  test('of 60 s in one partition of three is seen in its age, from outside the group', async () => {
    const prefix = freshPrefix();
    const shut = gate();
    const slow = member(brokers, prefix);
    slow.listen('sums', Added, async () => shut.opened);
    await started(slow);
    const other = member(brokers, prefix);
    const backlog = other.backlog('sums', Added, { limitMs: 3_000 });
    await started(other);
    await vi.waitFor(() => expect(backlog.late()).toBe(false), IN_TIME);
    await write(prefix, 2, 60);
    const reader = readerOf(prefix);
    await vi.waitFor(() => expect(backlog.late()).toBe(true), IN_TIME);
    expect([await reader.waitsOver(59_000), await reader.waitsOver(90_000)]).toEqual([true, false]);
    expect(other.health().troubles).toEqual(['sums: sum.added: something has waited for over 3 s']);
    shut.open();
    await vi.waitFor(() => expect(backlog.late()).toBe(false), IN_TIME);
    expect(await reader.waitsOver(0)).toBe(false);
    expect(other.health().troubles).toEqual([]);
  });

  test('is what a group has never read, and nothing of what is kept no more', async () => {
    const prefix = freshPrefix();
    await started(member(brokers, prefix));
    const reader = readerOf(prefix);
    expect(await reader.waitsOver(3_000)).toBe(false);
    await write(prefix, 0, 60);
    expect(await reader.waitsOver(3_000)).toBe(true);
    const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    // kafkajs knows the leader of a partition only after a request for it.
    await admin.fetchTopicOffsets(`${prefix}sum.added`);
    await admin.deleteTopicRecords({ topic: `${prefix}sum.added`, partitions: [{ partition: 0, offset: '-1' }] });
    await admin.disconnect();
    expect(await reader.waitsOver(3_000)).toBe(false);
  });

  test('that nobody can be asked about is no answer', async () => {
    const nowhere = createClient('test', { brokers: ['127.0.0.1:9'] }, quiet, 'none');
    const reader = openBacklogReader(nowhere, 'sums', 'sum.added');
    await expect(reader.waitsOver(1)).rejects.toThrow();
    await reader.close();
  });
});
