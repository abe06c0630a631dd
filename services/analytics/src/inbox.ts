// The inbox of the one-process product. There a request waits until every listener has committed, and counting takes ten
// times as long as storing. So the listener only stores events, and they are counted soon after, many at once.
import { performance } from 'node:perf_hooks';
import { type Listener, type Log, type Message, uuid5 } from '@landfall/bus';
import type { EventDef } from '@landfall/contracts';
import type { Database, SqlTransaction } from '@landfall/db';
import type { CountOthers } from './analytics-metrics.ts';
import type { Fact } from './domain/fact.ts';
import { factsOf } from './facts-of.ts';
import { MOST_MESSAGES, storeFacts } from './handlers/ingest.ts';
import type { Partitions } from './partitions.ts';
import {
  inboxRepository,
  isPassing,
  type StoredBatch,
  takeBatches,
  takeKnown,
} from './repositories/inbox-repository.ts';

export interface Inbox {
  /** Returns the listener that stores an event. */
  listener<E extends EventDef>(event: E): Listener<E>;
  /** Counts from now on what is stored, also what an earlier process has left. */
  start(): void;
  /** Somebody looks at the latest events: they are not put off in the next moment. */
  watched(): void;
  /** Resolves when everything that is stored now is counted. */
  settled(): Promise<void>;
  /** What is not counted yet is counted by the next process. */
  stop(): Promise<void>;
}

export interface InboxOptions {
  database: Database;
  partitions: Partitions;
  countOthers: CountOthers;
  log: Log;
}

/** Milliseconds between two counts. Meanwhile events gather: many at once cost less. */
const EVERY_MS = 400;
/** In busy times, requests come before counts. Nothing waits longer than this. */
const BUSY_MS = 4_000;
/** The share of time in which the process works, from which on it is busy. */
const BUSY = 0.6;
/** Milliseconds after a look at the latest events in which counting is not put off. */
const WATCHED_MS = 2_000;
/** Stored batches of one transaction, and messages. */
const MOST_BATCHES = 100;
/** Messages that are also kept in memory until they are counted. Reading them again takes as long as counting them. */
const MOST_IN_MEMORY = 50_000;

/** A batch that this process has stored, and need not read. As one text it costs the collector of memory next to nothing. */
interface Known {
  readonly id: string;
  readonly event: string;
  readonly text: string;
  readonly count: number;
}

const factsByName = new Map(factsOf.map(([event, facts]) => [event.name, facts]));

export function createInbox({ database, partitions, countOthers: addOthers, log }: InboxOptions): Inbox {
  const store = async (tx: SqlTransaction, facts: readonly Fact[]) => addOthers(await storeFacts(tx, facts));
  const repository = inboxRepository(database);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const known: Known[] = [];
  let inMemory = 0;
  /** True when the table may have batches that are not in memory: an earlier process has left some, or a count failed. */
  let hasOthers = true;
  let countedAt = Date.now();
  let watchedAt = 0;
  let utilization = performance.eventLoopUtilization();

  function look() {
    const now = performance.eventLoopUtilization();
    const { utilization: share } = performance.eventLoopUtilization(now, utilization);
    utilization = now;
    const isWatched = Date.now() - watchedAt < WATCHED_MS;
    const canWait = share > BUSY && !isWatched && inMemory < MOST_IN_MEMORY && Date.now() - countedAt < BUSY_MS;
    void (canWait ? running : settled()).then(again);
  }

  const again = () => {
    if (!stopped) timer = setTimeout(look, EVERY_MS);
  };

  /** One run at a time. A run that fails leaves its batches for the next. */
  function settled(): Promise<void> {
    running = running.then(countAll).catch((err) => {
      log.warn({ err }, 'events could not be counted and will be counted later');
    });
    return running;
  }

  async function countAll() {
    // What comes meanwhile waits for the next run: events that trickle in would be counted a few at a time.
    for (let left = inMemory; left > 0 && !stopped; ) left -= await countKnown();
    while (hasOthers && !stopped) hasOthers = (await countOthers()) === MOST_BATCHES;
    countedAt = Date.now();
  }

  /** Counts some batches that are in memory, and returns how many messages they had. When that fails they are still in the table. */
  async function countKnown(): Promise<number> {
    const batches = takeFromMemory();
    try {
      await database.transaction(async (tx) => {
        const taken = await takeKnown(
          tx,
          batches.map(({ id }) => id),
        );
        const here = batches.filter(({ id }) => taken.has(id));
        const facts = here.flatMap((batch) => factsOfBatch({ ...batch, messages: JSON.parse(batch.text) }));
        await store(tx, await partitions.kept(facts));
      });
    } catch (error) {
      hasOthers = true;
      partitions.forget();
      if (isPassing(error)) throw error;
    }
    return batches.reduce((sum, { count }) => sum + count, 0);
  }

  function takeFromMemory(): Known[] {
    let messages = 0;
    const end = known.findIndex((batch) => {
      messages += batch.count;
      return messages >= MOST_MESSAGES;
    });
    const taken = known.splice(0, end < 0 ? known.length : end + 1);
    for (const batch of taken) inMemory -= batch.count;
    return taken;
  }

  async function countOthers(): Promise<number> {
    try {
      return await database.transaction(async (tx) => {
        const batches = await takeBatches(tx, MOST_BATCHES);
        await store(tx, await partitions.kept(batches.flatMap(factsOfBatch)));
        return batches.length;
      });
    } catch (error) {
      partitions.forget();
      if (isPassing(error)) throw error;
      return countEach();
    }
  }

  /** Counts batch by batch, so that one that cannot be counted does not keep the others. */
  async function countEach(): Promise<number> {
    for (let n = 0; n < MOST_BATCHES; n++) {
      let current: StoredBatch | undefined;
      try {
        const taken = await database.transaction(async (tx) => {
          [current] = await takeBatches(tx, 1);
          if (current) await store(tx, await partitions.kept(factsOfBatch(current)));
          return current;
        });
        if (!taken) return n;
      } catch (error) {
        if (isPassing(error) || !current) throw error;
        log.error({ err: error, inbox: current.id, event: current.event }, 'events cannot be counted');
        await repository.fail(current.id, (error as Error).message);
      }
    }
    return MOST_BATCHES;
  }

  function factsOfBatch({ event, messages }: StoredBatch): Fact[] {
    const facts = factsByName.get(event);
    if (facts === undefined) return [];
    return messages.flatMap(({ id, now, data }) => {
      const context = { id, now: new Date(now), idFor: (name: string) => uuid5(id, name), expired: () => false };
      return facts({ data, context } as unknown as Message<never>);
    });
  }

  return {
    listener: (event) => async (batch) => {
      const messages = batch.map(({ data, context: { id, now } }) => ({ id, now: now.toISOString(), data }));
      const text = JSON.stringify(messages);
      const id = await repository.add(event.name, text);
      if (inMemory >= MOST_IN_MEMORY) {
        hasOthers = true;
        return;
      }
      known.push({ id, event: event.name, text, count: batch.length });
      inMemory += batch.length;
    },
    watched() {
      watchedAt = Date.now();
    },
    start: again,
    settled,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
