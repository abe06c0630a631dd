// What happens from now on: the answers to this instance's asks, and events for whoever keeps a copy of something. Nothing
// of it is kept: no offsets, no group that outlives the process.
import { randomUUID } from 'node:crypto';
import { AssignerProtocol, type Consumer, type EachBatchPayload, type Kafka, type PartitionAssigner } from 'kafkajs';
import type { Log } from '../log.ts';
import type { Names } from './names.ts';

export interface LiveOptions {
  kafka: Kafka;
  log: Log;
  names: Names;
  /** The partition of the replies that is ours. */
  replyPartition: number;
  /** Watched topics, by their names at the broker, with their partitions. */
  topics: ReadonlyMap<string, number>;
  seen(payload: EachBatchPayload): void;
  /** Something may have been missed. */
  onGap(): void;
}

export interface Live {
  /** Resolves when everything from now on is seen. */
  start(): Promise<void>;
  /** How long nothing was fetched, in milliseconds. */
  silentMs(): number;
  stop(): Promise<void>;
}

/** Longer than this without a fetch, and events may have been missed as far as a cache can know. */
const GAP_MS = 5_000;
/** A consumer that fetches nothing for so long is made anew. */
const REPLACE_MS = 20_000;
const CHECK_MS = 1_000;

export function createLive(options: LiveOptions): Live {
  const { kafka, log, names, replyPartition, topics, seen, onGap } = options;
  const assignment: Record<string, number[]> = { [names.replies]: [replyPartition] };
  for (const [topic, count] of topics) assignment[topic] = Array.from({ length: count }, (_, partition) => partition);
  let consumer: Consumer | undefined;
  let fetchedAt = Date.now();
  let gap = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    // A name of its own each time: a group that is left behind by a crash is never waited for.
    const opened = kafka.consumer({
      groupId: names.live(randomUUID()),
      partitionAssigners: [always(assignment)],
      sessionTimeout: 6_000,
      heartbeatInterval: 1_000,
      rebalanceTimeout: 6_000,
      maxWaitTimeInMs: 200,
      allowAutoTopicCreation: false,
      retry: { retries: Number.MAX_SAFE_INTEGER, maxRetryTime: 1_000, restartOnFailure: async () => !stopped },
    });
    consumer = opened;
    let joined = false;
    const first = Promise.withResolvers<void>();
    opened.on(opened.events.GROUP_JOIN, () => {
      // It begins at the end again: what came meanwhile was missed.
      if (joined) onGap();
      joined = true;
    });
    opened.on(opened.events.FETCH, () => {
      fetchedAt = Date.now();
      gap = false;
      if (joined) first.resolve();
    });
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
  }

  function check(): void {
    const silent = Date.now() - fetchedAt;
    if (silent > GAP_MS && !gap) {
      gap = true;
      onGap();
    }
    if (silent < REPLACE_MS) return;
    log.error({ silentMs: silent }, 'kafka: nothing was fetched for long; the consumer of replies is made anew');
    fetchedAt = Date.now();
    consumer?.disconnect().catch(() => {});
    open().then(onGap, (error: unknown) =>
      log.warn({ err: error }, 'kafka: the consumer of replies could not be made'),
    );
  }

  return {
    async start() {
      await open();
      timer = setInterval(check, CHECK_MS);
      timer.unref();
    },
    silentMs: () => Date.now() - fetchedAt,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await consumer?.disconnect();
    },
  };
}

/** Assigns the same partitions to the one member there is. */
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
