// One consumer group in this process. It moves the offsets once all results of its receivers are durable.
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { createTally } from '../../lifetime.ts';
import type { Log } from '../../observer.ts';
import { type FetchWatch, watchFetches } from './fetch-watch.ts';
import { createPartitionWork, nameOf, type PartitionWorkOptions, type TopicPartition } from './partition-work.ts';

export interface GroupOptions extends Omit<PartitionWorkOptions, 'done'> {
  kafka: Kafka;
  log: Log;
  groupId: string;
  topics: readonly string[];
  /** Milliseconds that a fetch may wait, and the bytes that it waits for. */
  fetch: { maxWaitTimeInMs: number; minBytes: number };
  commitMs: number;
  stuckMs: number;
  /** Called when one broker answers no fetch while others do. */
  onHang(): void;
  onFatal(error: Error): void;
}

export type Group = ReturnType<typeof createGroup>;

/** Milliseconds. Only a heartbeat tells a consumer that another one left, whose partitions stand still until then. */
const HEARTBEAT_MS = 300;
const SESSION_MS = 6_000;
const REST_MS = 1_000;
/** Milliseconds of silence after which the consumer is replaced: kafkajs keeps the address of a moved coordinator. */
const REPLACE_MS = 30_000;
const CHECK_MS = 1_000;

export function createGroup(options: GroupOptions) {
  const { kafka, log, groupId, topics, receptions, fetch, stuckMs, onHang, onFatal } = options;
  const joined = Promise.withResolvers<void>();
  let consumer: Consumer | undefined;
  let fetches: FetchWatch | undefined;
  let assigned: ReadonlyMap<string, readonly number[]> = new Map();
  let heardAt = Date.now();
  let stopping = false;
  const running = createTally();
  const timers = new Set<NodeJS.Timeout>();
  let checkTimer: NodeJS.Timeout | undefined;
  const isAssigned = (at: string) => {
    const slash = at.lastIndexOf('/');
    return assigned.get(at.slice(0, slash))?.includes(Number(at.slice(slash + 1))) ?? false;
  };
  const offsets = createOffsets(options, isAssigned, (done) => consumer!.commitOffsets(done));
  const partitionWork = createPartitionWork({ ...options, done: offsets.done });

  async function open(): Promise<void> {
    const opened = kafka.consumer({
      groupId,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: 10_000,
      ...fetch,
      allowAutoTopicCreation: false,
      retry: {
        retries: Number.MAX_SAFE_INTEGER,
        initialRetryTime: 100,
        maxRetryTime: 1_000,
        restartOnFailure: async () => !stopping,
      },
    });
    consumer = opened;
    fetches = watchFetches(opened);
    // A consumer that was replaced may still emit events.
    const isCurrent = () => consumer === opened;
    opened.on(opened.events.HEARTBEAT, () => {
      if (isCurrent()) heardAt = Date.now();
    });
    opened.on(opened.events.GROUP_JOIN, ({ payload }) => {
      if (!isCurrent()) return;
      heardAt = Date.now();
      assigned = new Map(Object.entries(payload.memberAssignment as Record<string, number[]>));
      offsets.forget();
      partitionWork.forget(isAssigned);
      joined.resolve();
    });
    opened.on(opened.events.CRASH, ({ payload }) => {
      if (!isCurrent() || stopping) return;
      log.warn({ group: groupId, err: payload.error, restart: payload.restart }, 'kafka: a consumer crashed');
      if (!payload.restart) later(REST_MS, () => replace('it crashed'));
    });
    await opened.connect();
    await opened.subscribe({ topics: [...topics], fromBeginning: true });
    await opened.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 16, eachBatch });
  }

  function replace(reason: string): void {
    if (stopping) return;
    log.error({ group: groupId, reason }, 'kafka: the consumer is recreated');
    heardAt = Date.now();
    consumer?.disconnect().catch(() => {});
    open().catch((error: unknown) => {
      log.warn({ group: groupId, err: error }, 'kafka: the consumer could not be created');
      later(REST_MS, () => replace('it could not be made'));
    });
  }

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    if (stopping) return;
    const { batch, heartbeat, isRunning, isStale, pause } = payload;
    let rebalancing = false;
    // While the handler works, only this timer tells the coordinator that the consumer is alive.
    const beat = setInterval(() => heartbeat().catch(() => (rebalancing = true)), HEARTBEAT_MS);
    const stuck = setTimeout(() => {
      clearInterval(beat);
      onFatal(new Error(`a handler of ${groupId} has not returned for ${stuckMs / 1000} s (${nameOf(batch)})`));
    }, stuckMs);
    running.count(1);
    try {
      const restMs = await partitionWork.work(payload, () => !stopping && isRunning() && !isStale());
      // The partition is fetched again from the first message that is left. The other partitions go on meanwhile.
      if (restMs > 0) later(restMs, pause());
    } finally {
      clearInterval(beat);
      clearTimeout(stuck);
      if (rebalancing || stopping || !isRunning()) await offsets.commit();
      running.count(-1);
    }
  }

  function later(ms: number, what: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      what();
    }, ms);
    timers.add(timer);
  }

  return {
    groupId,
    receptions,
    async start(): Promise<void> {
      await open();
      await joined.promise;
      checkTimer = setInterval(() => {
        if (Date.now() - heardAt > REPLACE_MS) replace('its coordinator is silent');
        else if (fetches?.hangs()) {
          replace('a broker hangs');
          onHang();
        }
      }, CHECK_MS);
    },
    /** By topic. */
    assigned: () => assigned,
    oldest: () => partitionWork.oldest,
    silentMs: () => Date.now() - heardAt,
    async stop(): Promise<void> {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      clearInterval(checkTimer);
      await running.idle();
      await offsets.stop();
      await consumer?.disconnect();
    },
  };
}

/** Commits the offsets that are done, after a while. `isAssigned` takes `topic/partition`. */
function createOffsets(
  { groupId, commitMs, log }: GroupOptions,
  isAssigned: (at: string) => boolean,
  send: Consumer['commitOffsets'],
) {
  /** By `topic/partition`. */
  let uncommitted = new Map<string, TopicPartition & { offset: string }>();
  /** The next commit, until it is done. An idle group has none. */
  let timer: NodeJS.Timeout | undefined;
  let committing: Promise<void> | undefined;

  function commitSoon(): void {
    // A broker that hangs answers after seconds. Commits must not queue up meanwhile.
    timer ??= setTimeout(async () => {
      committing = commit();
      await committing;
      timer = undefined;
      if (uncommitted.size > 0) commitSoon();
    }, commitMs);
  }

  /** Never rejects: offsets that fail are committed next time. */
  async function commit(): Promise<void> {
    if (uncommitted.size === 0) return;
    const offsets = uncommitted;
    uncommitted = new Map();
    try {
      await send([...offsets.values()]);
    } catch (error) {
      // The next commit retries these offsets. After a restart before that commit, these messages are redelivered.
      for (const [at, offset] of offsets) if (isAssigned(at) && !uncommitted.has(at)) uncommitted.set(at, offset);
      log.debug({ group: groupId, err: error }, 'kafka: offsets were not committed');
    }
  }

  return {
    commit,
    /** Remembers that all messages of the partition are done, up to this offset. */
    done({ topic, partition }: TopicPartition, offset: string): void {
      uncommitted.set(nameOf({ topic, partition }), { topic, partition, offset: `${BigInt(offset) + 1n}` });
      commitSoon();
    },
    /** Forgets all offsets, after a rebalance. Another process may have committed later ones. */
    forget(): void {
      uncommitted = new Map();
    },
    async stop(): Promise<void> {
      await committing;
      clearTimeout(timer);
      await commit();
    },
  };
}
