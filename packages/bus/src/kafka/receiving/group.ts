// One consumer group of this process: takes what its topics hold, brings it to the receivers, and moves the offsets once
// everything that follows from it is durable.
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Log } from '../../log.ts';
import { type FetchWatch, watchFetches } from './fetch-watch.ts';
import { createPartitionWork, nameOf, type PartitionWorkOptions } from './partition-work.ts';

export interface GroupOptions extends Omit<PartitionWorkOptions, 'done'> {
  kafka: Kafka;
  log: Log;
  /** At the broker. */
  groupId: string;
  /** By the names at the broker. */
  topics: readonly string[];
  /** Milliseconds that a fetch may wait for more than one message: nobody waits for a listener's work. */
  fetch: { maxWaitTimeInMs: number; minBytes: number };
  commitMs: number;
  /** A handler that takes longer never returns. */
  stuckMs: number;
  onFatal(error: Error): void;
}

export interface Group {
  readonly groupId: string;
  readonly receptions: GroupOptions['receptions'];
  /** Resolves when it has joined. */
  start(): Promise<void>;
  /** The partitions that are ours, by topic. */
  assigned(): ReadonlyMap<string, readonly number[]>;
  /** When the oldest message that is here and not done was written, by `topic/partition`; milliseconds since 1970. */
  oldest(): ReadonlyMap<string, number>;
  /** Milliseconds since the coordinator last answered. */
  silentMs(): number;
  /** Finishes what is under way, commits, leaves. */
  stop(): Promise<void>;
}

/** Only so does a consumer learn that another one came or left, and until it does, the partitions of that one stand still. */
const HEARTBEAT_MS = 300;
const SESSION_MS = 6_000;
/** Before a consumer is made anew. */
const REST_MS = 1_000;
/** A coordinator that is silent for so long: kafkajs keeps the address of one that moved. */
const REPLACE_MS = 30_000;
const CHECK_MS = 1_000;

export function createGroup(options: GroupOptions): Group {
  const { kafka, log, groupId, topics, receptions, fetch, commitMs, stuckMs, onFatal } = options;
  /** For the first time, whichever consumer it is. */
  const joined = Promise.withResolvers<void>();
  let consumer: Consumer | undefined;
  let fetches: FetchWatch | undefined;
  let assigned: ReadonlyMap<string, readonly number[]> = new Map();
  let heardAt = Date.now();
  let stopping = false;
  let running = 0;
  const idlers: (() => void)[] = [];
  const timers = new Set<NodeJS.Timeout>();
  /** Offsets to commit, by `topic/partition`. */
  let uncommitted = new Map<string, { topic: string; partition: number; offset: string }>();
  const partitionWork = createPartitionWork({
    ...options,
    done({ topic, partition }, offset) {
      uncommitted.set(nameOf({ topic, partition }), { topic, partition, offset: `${BigInt(offset) + 1n}` });
    },
  });

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
    // One that was given up may still say something.
    const isCurrent = () => consumer === opened;
    opened.on(opened.events.HEARTBEAT, () => {
      if (isCurrent()) heardAt = Date.now();
    });
    opened.on(opened.events.GROUP_JOIN, ({ payload }) => {
      if (!isCurrent()) return;
      heardAt = Date.now();
      assigned = new Map(Object.entries(payload.memberAssignment as Record<string, number[]>));
      // They may be somebody else's by now, who is further than that.
      uncommitted = new Map();
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

  const isAssigned = (at: string) => {
    const slash = at.lastIndexOf('/');
    return assigned.get(at.slice(0, slash))?.includes(Number(at.slice(slash + 1))) ?? false;
  };

  function replace(reason: string): void {
    if (stopping) return;
    log.error({ group: groupId, reason }, 'kafka: the consumer is made anew');
    heardAt = Date.now();
    consumer?.disconnect().catch(() => {});
    open().catch((error: unknown) => {
      log.warn({ group: groupId, err: error }, 'kafka: the consumer could not be made');
      later(REST_MS, () => replace('it could not be made'));
    });
  }

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    if (stopping) return;
    const { batch, heartbeat, isRunning, isStale, pause } = payload;
    let rebalancing = false;
    // While the handler works nobody else tells the coordinator that we live.
    const beat = setInterval(() => heartbeat().catch(() => (rebalancing = true)), HEARTBEAT_MS);
    const stuck = setTimeout(() => {
      clearInterval(beat);
      onFatal(new Error(`a handler of ${groupId} has not returned for ${stuckMs / 1000} s (${nameOf(batch)})`));
    }, stuckMs);
    running++;
    try {
      const restMs = await partitionWork.work(payload, () => !stopping && isRunning() && !isStale());
      // It is fetched again from the first that is left; the other partitions go on meanwhile.
      if (restMs > 0) later(restMs, pause());
    } finally {
      clearInterval(beat);
      clearTimeout(stuck);
      if (rebalancing || stopping || !isRunning()) await commit();
      running--;
      if (running === 0) for (const idler of idlers.splice(0)) idler();
    }
  }

  function later(ms: number, what: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      what();
    }, ms);
    timers.add(timer);
  }

  async function commit(): Promise<void> {
    if (uncommitted.size === 0) return;
    const offsets = uncommitted;
    uncommitted = new Map();
    try {
      await consumer!.commitOffsets([...offsets.values()]);
    } catch (error) {
      // Tried again with the next; until then a restart would see these messages once more.
      for (const [at, offset] of offsets) if (isAssigned(at) && !uncommitted.has(at)) uncommitted.set(at, offset);
      log.debug({ group: groupId, err: error }, 'kafka: offsets were not committed');
    }
  }

  let committing: Promise<void> = Promise.resolve();
  let commitTimer: NodeJS.Timeout | undefined;
  let checkTimer: NodeJS.Timeout | undefined;

  return {
    groupId,
    receptions,
    async start() {
      await open();
      await joined.promise;
      commitTimer = setInterval(() => {
        committing = committing.then(commit);
      }, commitMs);
      checkTimer = setInterval(() => {
        if (Date.now() - heardAt > REPLACE_MS) replace('its coordinator is silent');
        else if (fetches?.hangs()) replace('a broker hangs');
      }, CHECK_MS);
    },
    assigned: () => assigned,
    oldest: () => partitionWork.oldest,
    silentMs: () => Date.now() - heardAt,
    async stop() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      clearInterval(commitTimer);
      clearInterval(checkTimer);
      if (running > 0) await new Promise<void>((resolve) => idlers.push(resolve));
      await committing;
      await commit();
      await consumer?.disconnect();
    },
  };
}
