// Reads the messages since its start: the answers to this instance's requests, and events that keep a cache fresh. It
// stores no offsets. Its group does not outlive the process.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssignerProtocol, type Consumer, type EachBatchPayload, type Kafka, type PartitionAssigner } from 'kafkajs';
import type { Log } from '../../observer.ts';
import { withAdmin } from '../admin.ts';
import type { Names } from '../topics/names.ts';
import { type FetchWatch, watchFetches } from './fetch-watch.ts';
import { nameOf } from './partition-work.ts';

export interface LiveOptions {
  kafka: Kafka;
  log: Log;
  names: Names;
  replyPartition: number;
  /** The number of partitions of each watched topic, by the topic's name at the broker. */
  topics: ReadonlyMap<string, number>;
  seen(payload: EachBatchPayload): void;
  /** Called when messages may be late or missed. */
  onGap(): void;
  /** Called when one broker answers no fetch while others do. */
  onHang(): void;
}

export type Live = ReturnType<typeof createLive>;

/** Milliseconds without a fetch after which a cache must assume that it is out of date. */
const GAP_MS = 5_000;
/** Milliseconds without a fetch after which the consumer is replaced. The next one goes on where it ended. */
const REPLACE_MS = 6_000;
const CHECK_MS = 1_000;
const AGAIN_MS = 200;
const START_MS = 20_000;

interface Opened {
  readonly consumer: Consumer;
  readonly fetches: FetchWatch;
}

export function createLive(options: LiveOptions) {
  const { kafka, log, names, replyPartition, topics, seen, onGap, onHang } = options;
  const assignment: Record<string, number[]> = { [names.replies]: [replyPartition] };
  for (const [topic, count] of topics) assignment[topic] = Array.from({ length: count }, (_, partition) => partition);
  /** The next offset of each partition. A new consumer begins there: at the end, it would lose answers. */
  const positions = new Map<string, { topic: string; partition: number; offset: string }>();
  let current: Consumer | undefined;
  let opened: Opened | undefined;
  let gap = false;
  let stopped = false;
  let opening = false;
  let timer: NodeJS.Timeout | undefined;

  async function findPositions(): Promise<void> {
    const ends = await withAdmin(kafka, (admin) => admin.fetchEndOffsets(Object.keys(assignment)));
    for (const { topic, partitions } of ends)
      for (const { partition, offset } of partitions)
        if (assignment[topic]!.includes(partition)) moveTo(topic, partition, offset);
  }

  const moveTo = (topic: string, partition: number, offset: string) =>
    positions.set(nameOf({ topic, partition }), { topic, partition, offset });

  async function open(): Promise<Opened> {
    if (positions.size === 0) await findPositions();
    // Each consumer has a new group name. So it never waits for a group that a crash left behind.
    const consumer = kafka.consumer({
      groupId: names.live(randomUUID()),
      partitionAssigners: [always(assignment)],
      sessionTimeout: 6_000,
      heartbeatInterval: 1_000,
      rebalanceTimeout: 6_000,
      maxWaitTimeInMs: 500,
      allowAutoTopicCreation: false,
      retry: { retries: 5, restartOnFailure: async () => false },
    });
    current = consumer;
    const isCurrent = () => current === consumer;
    const fetches = watchFetches(consumer);
    let joined = false;
    const first = Promise.withResolvers<void>();
    first.promise.catch(() => {});
    consumer.on(consumer.events.GROUP_JOIN, () => {
      // When it joins again, messages wait for it. A cache is out of date until then.
      if (joined) onGap();
      joined = true;
      for (const position of positions.values()) consumer.seek(position);
    });
    consumer.on(consumer.events.FETCH, () => {
      gap = false;
      if (joined) first.resolve();
    });
    consumer.on(consumer.events.REQUEST_TIMEOUT, ({ payload: { apiName } }) => {
      // kafkajs fetches nothing while it waits for its coordinator. It would wait for each of five retries.
      if (apiName === 'Heartbeat' && isCurrent()) replace('its coordinator does not answer');
    });
    consumer.on(consumer.events.CRASH, ({ payload: { error } }) => {
      first.reject(error);
      if (isCurrent()) replace(error.message);
    });
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: Object.keys(assignment), fromBeginning: false });
      await consumer.run({
        autoCommit: false,
        partitionsConsumedConcurrently: 4,
        eachBatch: async (payload) => {
          // A consumer that was replaced may still hold a batch. The new one fetches it, too.
          if (!isCurrent()) return;
          const { topic, partition } = payload.batch;
          const last = payload.batch.lastOffset();
          seen(payload);
          moveTo(topic, partition, `${BigInt(last) + 1n}`);
          payload.resolveOffset(last);
        },
      });
      await first.promise;
    } catch (error) {
      consumer.disconnect().catch(() => {});
      throw error;
    }
    return { consumer, fetches };
  }

  function replace(reason: string): void {
    if (opening || stopped) return;
    opening = true;
    log.warn({ reason }, 'kafka: the consumer of answers is recreated');
    current = undefined;
    opened?.consumer.disconnect().catch(() => {});
    onGap();
    void reopen();
  }

  async function reopen(): Promise<void> {
    await untilOpen(Number.POSITIVE_INFINITY);
    opening = false;
    // A cache was out of date until the first fetch, and the broker may have deleted old messages.
    onGap();
  }

  /** Retries, because a broker that has just started does not know its groups yet. Rejects when time is over. */
  async function untilOpen(end: number): Promise<void> {
    while (!stopped) {
      try {
        opened = await open();
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  function check(): void {
    if (opening) return;
    const silentMs = opened!.fetches.silentMs();
    const hangs = opened!.fetches.hangs();
    if (silentMs > GAP_MS && !gap) {
      gap = true;
      onGap();
    }
    if (silentMs > REPLACE_MS || hangs) replace(hangs ? 'a broker hangs' : 'nothing was fetched');
    if (hangs) onHang();
  }

  return {
    /** Resolves when the consumer sees all messages from now on. */
    async start(): Promise<void> {
      opening = true;
      await untilOpen(Date.now() + START_MS);
      opening = false;
      timer = setInterval(check, CHECK_MS);
      timer.unref();
    },
    silentMs: () => opened?.fetches.silentMs() ?? 0,
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await opened?.consumer.disconnect();
    },
  };
}

/** Assigns the same partitions to the only member of the group. */
function always(assignment: Record<string, number[]>): PartitionAssigner {
  return () => ({
    name: 'Pinned',
    version: 1,
    async assign({ members }) {
      const userData = Buffer.alloc(0);
      return members.map(({ memberId }) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({ version: 1, assignment, userData }),
      }));
    },
    protocol: ({ topics }) => ({
      name: 'Pinned',
      metadata: AssignerProtocol.MemberMetadata.encode({ version: 1, topics, userData: Buffer.alloc(0) }),
    }),
  });
}
