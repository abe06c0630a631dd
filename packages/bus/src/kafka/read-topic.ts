// Reads a topic once, from its beginning to its end at the time of the call.
import { randomUUID } from 'node:crypto';
import type { Admin, Kafka } from 'kafkajs';
import type { Place } from './receiving/receivers.ts';
import type { Names } from './topics/names.ts';

/**
 * Hands over all records of a topic, partition by partition in their order. Resolves when the last one was taken. It
 * stores no offsets. Rejects when `take` rejects.
 * @param admin connected
 */
export async function readTopic(
  { kafka, admin, names }: { kafka: Kafka; admin: Admin; names: Names },
  topic: string,
  take: (places: readonly Place[]) => void | Promise<void>,
): Promise<void> {
  const ends = (await admin.fetchTopicOffsets(topic)).filter(({ low, high }) => BigInt(high) > BigInt(low));
  const left = new Map(ends.map(({ partition, high }) => [partition, BigInt(high)]));
  if (left.size === 0) return;
  const consumer = kafka.consumer({
    groupId: names.live(randomUUID()),
    maxWaitTimeInMs: 200,
    allowAutoTopicCreation: false,
  });
  const done = Promise.withResolvers<void>();
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch: { partition, messages }, heartbeat }) => {
        const end = left.get(partition);
        if (end === undefined) return;
        const wanted = messages.filter((raw) => BigInt(raw.offset) < end);
        try {
          await take(wanted.map((raw) => ({ topic, partition, raw })));
        } catch (error) {
          done.reject(error);
          return;
        }
        await heartbeat();
        if (BigInt(messages.at(-1)?.offset ?? -1) + 1n >= end) left.delete(partition);
        if (left.size === 0) done.resolve();
      },
    });
    await done.promise;
  } finally {
    await consumer.disconnect();
  }
}
