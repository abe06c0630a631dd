// The consumer: copies clicks from the topic to the tables, and starts at the offsets in the tables.
import { type EachBatchPayload, Kafka, logLevel, type SASLOptions } from 'kafkajs';
import type { Pool } from 'pg';
import { toClick } from './click.ts';
import { recordBatch } from './record-batch.ts';
import { forgetIds, makeTables } from './tables.ts';

interface CountOptions {
  /** `host:port` of one or more brokers. */
  brokers: string[];
  sasl?: SASLOptions | undefined;
  topic: string;
  /** The consumer group: its members share the partitions. */
  group: string;
  pool: Pool;
  /** The number of days to remember an id. It must be longer than the retention of the topic. */
  keepDays: number;
  say(line: string): void;
}

export interface Counting {
  /** Resolves after `stop`. Rejects when the consumer cannot continue. */
  readonly ended: Promise<void>;
  /** Finishes the current batches and leaves the group. The pool stays open. */
  stop(): Promise<void>;
}

const HOUSEKEEPING_MS = 60_000;

export async function countClicks(options: CountOptions): Promise<Counting> {
  const { brokers, sasl, topic, group, pool, keepDays, say } = options;
  await makeTables(pool);
  const kafka = new Kafka({ clientId: group, brokers, ...(sasl && { sasl }), logLevel: logLevel.ERROR });
  const consumer = kafka.consumer({
    groupId: group,
    sessionTimeout: 15_000,
    heartbeatInterval: 2_000,
    maxWaitTimeInMs: 500,
  });
  const ended = Promise.withResolvers<void>();
  // Without a caller that waits for `ended`, there must be no unhandled rejection.
  ended.promise.catch(() => {});
  /** The next offsets that were requested by a seek since the last join, by partition. */
  const sought = new Map<number, bigint>();
  const counts = { counted: 0, repeated: 0 };

  function goTo(partition: number, offset: bigint): void {
    consumer.seek({ topic, partition, offset: String(offset) });
  }

  async function eachBatch({ batch, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    if (!isRunning() || isStale()) return;
    const { partition } = batch;
    const records = batch.messages.map((message) => ({ offset: BigInt(message.offset), click: toClick(message) }));
    const given = { topic, partition, records, sought: sought.get(partition) };
    const { next, from, ...recorded } = await recordBatch(pool, given);
    counts.counted += recorded.counted;
    counts.repeated += recorded.repeated;
    const last = records.at(-1)!.offset;
    if (next !== last + 1n) {
      // The consumer requested the next offset and got other records, so this offset does not exist in the topic.
      if (sought.get(partition) === next) return ended.reject(new Error(madeAnew(topic, partition)));
      sought.set(partition, next);
      return goTo(partition, next);
    }
    sought.delete(partition);
    if (recorded.missed > 0n)
      say(`${topic}/${partition}: ${recorded.missed} records were deleted before they were counted`);
    for (const { offset, click } of records)
      if (!click && offset >= from) say(`${topic}/${partition}/${offset} is no click: passed over`);
    resolveOffset(String(last));
    // The commit only shows the consumer lag of the group. It may be lost, because the consumer starts from the table.
    await consumer.commitOffsets([{ topic, partition, offset: String(next) }]);
  }

  /** The offsets of the group may be wrong. Fetching may have begun already, so each batch is still checked. */
  async function seekToStored(partitions: readonly number[]): Promise<void> {
    sought.clear();
    const { rows } = await pool.query('select "partition", next_offset from clicks_offsets where topic = $1', [topic]);
    const stored = new Map(rows.map((row) => [row.partition as number, BigInt(row.next_offset)]));
    for (const partition of partitions) goTo(partition, stored.get(partition) ?? 0n);
  }

  function sayCounts(): void {
    const { counted, repeated } = counts;
    if (counted + repeated > 0) say(`${counted} clicks counted, ${repeated} told again`);
    counts.counted = counts.repeated = 0;
  }

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const partitions = payload.memberAssignment[topic] ?? [];
    say(`has ${partitions.length === 0 ? 'no partition' : `partitions ${partitions.join(', ')}`} of ${topic}`);
    seekToStored(partitions).catch((error) => say(`where to go on was not found: ${error}`));
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) ended.reject(payload.error);
  });
  const timer = setInterval(() => {
    sayCounts();
    forgetIds(pool, keepDays).catch((error) => say(`ids were not forgotten: ${error}`));
  }, HOUSEKEEPING_MS);

  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 3, eachBatch });
  return {
    ended: ended.promise,
    async stop() {
      clearInterval(timer);
      await consumer.disconnect();
      sayCounts();
      ended.resolve();
    },
  };
}

const madeAnew = (topic: string, partition: number): string =>
  `${topic}/${partition} ends before what was counted of it: it was made anew. Delete its row from clicks_offsets.`;
