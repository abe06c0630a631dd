// Topics as they lie at the broker, past the bus: how much is in them, and all of it.
import { randomUUID } from 'node:crypto';
import { type EachBatchPayload, Kafka, logLevel } from 'kafkajs';

export interface Topics {
  /** Every topic with the prefix, without it; also those that are empty. */
  names(): Promise<string[]>;
  /** Messages that a topic has had, by its name without the prefix. */
  count(topic: string): Promise<number>;
  /** The same of several topics, in one request. */
  countAll(topics: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The same, of each partition. */
  counts(topic: string): Promise<readonly number[]>;
  /** Brings every topic with the prefix to so many partitions. Those of replies have theirs for good. */
  addPartitions(count: number): Promise<void>;
  close(): Promise<void>;
}

export function openTopics(brokers: readonly string[], prefix: string): Topics {
  const admin = clientOf(brokers).admin();
  const connected = admin.connect();
  async function names(): Promise<string[]> {
    await connected;
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    return topics.map((topic) => topic.slice(prefix.length));
  }
  async function allCounts(topics: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    if (topics.length === 0) return new Map();
    await connected;
    const found = await admin.fetchEndOffsets(topics.map((topic) => prefix + topic));
    return new Map(
      found.map(({ topic, partitions }) => [
        topic.slice(prefix.length),
        partitions.sort((a, b) => a.partition - b.partition).map(({ offset }) => Number(offset)),
      ]),
    );
  }
  async function countAll(topics: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const counts = await allCounts(topics);
    return new Map(
      [...counts].map(([topic, ofPartitions]) => [topic, ofPartitions.reduce((sum, one) => sum + one, 0)]),
    );
  }
  return {
    names,
    count: async (topic) => (await countAll([topic])).get(topic) ?? 0,
    countAll,
    counts: async (topic) => (await allCounts([topic])).get(topic) ?? [],
    async addPartitions(count) {
      const own = (await names()).filter((topic) => topic !== 'landfall.replies');
      await admin.createPartitions({ topicPartitions: own.map((topic) => ({ topic: prefix + topic, count })) });
    },
    async close() {
      await connected.catch(() => {});
      await admin.disconnect();
    },
  };
}

export interface StoredRecord {
  /** Without the prefix. */
  topic: string;
  key: string | null;
  headers: Readonly<Record<string, string>>;
  value: string | null;
  /** Key, headers and value as text. */
  text: string;
}

/** Every record of every topic with the prefix, in every partition. Throws when some were deleted already. */
export async function readTopics(brokers: readonly string[], prefix: string): Promise<StoredRecord[]> {
  const kafka = clientOf(brokers);
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  const left = new Map<string, bigint>();
  for (const topic of topics) {
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      if (low !== '0') throw new Error(`${topic} has lost its first ${low} records already.`);
      if (high !== '0') left.set(`${topic}/${partition}`, BigInt(high));
    }
  }
  const records: StoredRecord[] = [];
  const groupId = `read-topics-${randomUUID()}`;
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200 });
  const done = Promise.withResolvers<void>();
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    async eachBatch({ batch }: EachBatchPayload) {
      const at = `${batch.topic}/${batch.partition}`;
      for (const { key, value, headers } of batch.messages) {
        const parts = [key, value, ...Object.entries(headers ?? {}).flat(2)];
        records.push({
          topic: batch.topic.slice(prefix.length),
          key: key?.toString() ?? null,
          headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, one]) => [name, String(one ?? '')])),
          value: value?.toString() ?? null,
          text: parts.map((part) => String(part ?? '')).join('\n'),
        });
      }
      if (BigInt(batch.lastOffset()) + 1n >= (left.get(at) ?? 0n)) left.delete(at);
      if (left.size === 0) done.resolve();
    },
  });
  await done.promise;
  await consumer.disconnect();
  await admin.deleteGroups([groupId]);
  await admin.disconnect();
  return records;
}

const clientOf = (brokers: readonly string[]) =>
  new Kafka({ clientId: 'test-topics', brokers: [...brokers], logLevel: logLevel.NOTHING });
