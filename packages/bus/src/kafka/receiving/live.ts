// Reads new messages only: the answers to this instance's requests, and events that keep a cache fresh. It stores no
// offsets. Its group does not outlive the process.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssignerProtocol, type Consumer, type EachBatchPayload, type Kafka, type PartitionAssigner } from 'kafkajs';
import type { Log } from '../../log.ts';
import type { Names } from '../topics/names.ts';
import { type FetchWatch, watchFetches } from './fetch-watch.ts';

export interface LiveOptions {
  kafka: Kafka;
  log: Log;
  names: Names;
  /** The partition of the reply topic that this instance reads. */
  replyPartition: number;
  /** The number of partitions of each watched topic, by the topic's name at the broker. */
  topics: ReadonlyMap<string, number>;
  seen(payload: EachBatchPayload): void;
  /** Called when messages may have been missed. */
  onGap(): void;
  /** Called when one broker answers no fetch while others do. */
  onHang(): void;
}

export interface Live {
  /** Resolves when the consumer sees all messages from now on. */
  start(): Promise<void>;
  /** Returns the milliseconds since the last fetch. */
  silentMs(): number;
  stop(): Promise<void>;
}

/** Milliseconds without a fetch after which a cache must assume that it missed events. */
const GAP_MS = 5_000;
/**
 * Milliseconds without a fetch after which the consumer is replaced. The replacement loses only messages that the
 * consumer misses anyway.
 */
const REPLACE_MS = 6_000;
const CHECK_MS = 1_000;
const AGAIN_MS = 200;
const START_MS = 20_000;

export function createLive(options: LiveOptions): Live {
  const { kafka, log, names, replyPartition, topics, seen, onGap, onHang } = options;
  const assignment: Record<string, number[]> = { [names.replies]: [replyPartition] };
  for (const [topic, count] of topics) assignment[topic] = Array.from({ length: count }, (_, partition) => partition);
  let consumer: Consumer | undefined;
  let fetches: FetchWatch | undefined;
  let gap = false;
  let stopped = false;
  let opening = false;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    // Each consumer has a new group name. So it never waits for a group that a crash left behind.
    const opened = kafka.consumer({
      groupId: names.live(randomUUID()),
      partitionAssigners: [always(assignment)],
      sessionTimeout: 6_000,
      heartbeatInterval: 1_000,
      rebalanceTimeout: 6_000,
      maxWaitTimeInMs: 500,
      allowAutoTopicCreation: false,
      retry: { retries: 5, restartOnFailure: async () => false },
    });
    const watch = watchFetches(opened);
    let joined = false;
    const first = Promise.withResolvers<void>();
    first.promise.catch(() => {});
    opened.on(opened.events.GROUP_JOIN, () => {
      // After it joins again, the consumer begins at the end. It missed the messages in between.
      if (joined) onGap();
      joined = true;
    });
    opened.on(opened.events.FETCH, () => {
      gap = false;
      if (joined) first.resolve();
    });
    opened.on(opened.events.CRASH, ({ payload: { error } }) => {
      first.reject(error);
      if (consumer === opened) replace(error.message);
    });
    try {
      await opened.connect();
      await opened.subscribe({ topics: Object.keys(assignment), fromBeginning: false });
      await opened.run({
        autoCommit: false,
        partitionsConsumedConcurrently: 4,
        eachBatch: async (payload) => {
          seen(payload);
          payload.resolveOffset(payload.batch.lastOffset());
        },
      });
      await first.promise;
    } catch (error) {
      opened.disconnect().catch(() => {});
      throw error;
    }
    consumer = opened;
    fetches = watch;
  }

  function replace(reason: string): void {
    if (opening || stopped) return;
    opening = true;
    log.warn({ reason }, 'kafka: the consumer of answers is recreated');
    const broken = consumer;
    consumer = undefined;
    broken?.disconnect().catch(() => {});
    onGap();
    void reopen();
  }

  async function reopen(): Promise<void> {
    await untilOpen(Number.POSITIVE_INFINITY);
    opening = false;
    // Messages before the first fetch were missed, too.
    onGap();
  }

  /**
   * Retries until the consumer is open, because a broker that has just started does not know its groups yet. Rejects
   * with the last error when the time is over.
   */
  async function untilOpen(end: number): Promise<void> {
    while (!stopped) {
      try {
        return await open();
      } catch (error) {
        if (Date.now() > end) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  function check(): void {
    if (opening) return;
    const silentMs = fetches!.silentMs();
    const hangs = fetches!.hangs();
    if (silentMs > GAP_MS && !gap) {
      gap = true;
      onGap();
    }
    if (silentMs > REPLACE_MS || hangs) replace(hangs ? 'a broker hangs' : 'nothing was fetched');
    if (hangs) onHang();
  }

  return {
    async start() {
      opening = true;
      await untilOpen(Date.now() + START_MS);
      opening = false;
      timer = setInterval(check, CHECK_MS);
      timer.unref();
    },
    silentMs: () => fetches?.silentMs() ?? 0,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await consumer?.disconnect();
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
