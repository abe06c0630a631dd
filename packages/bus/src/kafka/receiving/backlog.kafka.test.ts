// Backlogs as the brokers report them. Only the brokers know the ages, partitions and offsets.
import { describeWithKafka } from '@landfall/testkit/scale-out';
import { afterEach, expect, test, vi } from 'vitest';
import { IN_TIME } from '../../conformance/backlogs.ts';
import { gate } from '../../conformance/gates.ts';
import { createClient } from '../client.ts';
import { Added, freshPrefix, member, quiet } from '../cluster.testing.ts';
import { asAdmin, brokers, running, started, stopAll, write } from '../started.testing.ts';
import { eventHeaders } from '../wire.ts';
import { openBacklogReader } from './backlog.ts';

afterEach(stopAll);

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
function writeEvent(prefix: string, partition: number, secondsAgo: number): Promise<void> {
  const at = Date.now() - secondsAgo * 1_000;
  const headers = eventHeaders({ name: 'Added', id: crypto.randomUUID(), time: at, trace: undefined }, '/test', 'k');
  return write(`${prefix}sum.added`, { key: 'k', partition, value: '{"n":1}', headers, timestamp: `${at}` });
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
    await writeEvent(prefix, 2, 60);
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
    await writeEvent(prefix, 0, 60);
    expect(await reader.waitsOver(3_000)).toBe(true);
    await asAdmin(async (admin) => {
      // kafkajs knows the leader of a partition only after a request for it.
      await admin.fetchTopicOffsets(`${prefix}sum.added`);
      await admin.deleteTopicRecords({ topic: `${prefix}sum.added`, partitions: [{ partition: 0, offset: '-1' }] });
    });
    expect(await reader.waitsOver(3_000)).toBe(false);
  });

  test('that nobody can be asked about is no answer', async () => {
    const nowhere = createClient('test', { brokers: ['127.0.0.1:9'] }, quiet, 'none');
    const reader = openBacklogReader(nowhere, 'sums', 'sum.added');
    await expect(reader.waitsOver(1)).rejects.toThrow();
    await reader.close();
  });
});
