// The inbox of the one-process product. There a request waits until every listener has committed, and counting takes ten
// times as long as storing. So the listener only stores events, and they are counted soon after, many at once.
import { performance } from 'node:perf_hooks';
import { type Listener, type Log, type Message, uuid5 } from '@landfall/bus';
import type { EventDef } from '@landfall/contracts';
import type { Database, SqlTransaction } from '@landfall/db';
import type { CountOthers } from './analytics-metrics.ts';
import type { Fact } from './domain/fact.ts';
import { factsOf } from './facts-of.ts';
import { storeFacts } from './handlers/ingest.ts';
import { createPartitions } from './partitions.ts';
import { inboxRepository, isPassing, type StoredBatch, takeBatches } from './repositories/inbox-repository.ts';

/** Milliseconds between two counts. Meanwhile events gather: many at once cost less. */
const EVERY_MS = 400;
/** In busy times, requests come before counts. Nothing waits longer than this. */
const BUSY_MS = 4_000;
/** The share of time in which the process works, from which on it is busy. */
const BUSY = 0.6;
/** Milliseconds after a look at the latest events in which counting is not put off. */
const WATCHED_MS = 2_000;
/** Messages of one transaction. Their facts are counted in one turn of the event loop, and requests wait meanwhile. */
const MOST_AT_ONCE = 500;
/** Batches that are read at once. */
const MOST_READ = 100;
/** Messages that are also kept in memory until they are counted. Reading them again takes as long as counting them. */
const MOST_IN_MEMORY = 50_000;

const factsByName = new Map(factsOf.map(([event, facts]) => [event.name, facts]));

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(database: Database, log: Log, countOthers: CountOthers) {
  const repository = inboxRepository(database);
  const partitions = createPartitions(database);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  /** Batches that this process has stored and need not read, the oldest first. */
  const known: StoredBatch[] = [];
  let inMemory = 0;
  /** True when the table may have batches that are not in memory: an earlier process has left some, or memory was full. */
  let hasUnknown = true;
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
      hasUnknown = true;
      log.warn({ err }, 'events could not be counted and will be counted later');
    });
    return running;
  }

  async function countAll() {
    // What comes meanwhile waits for the next run: events that trickle in would be counted a few at a time.
    for (let left = known.length; left > 0 && !stopped; ) {
      const part = firstOf(known.slice(0, left));
      await countPart(part);
      known.splice(0, part.length);
      for (const { size } of part) inMemory -= size;
      left -= part.length;
    }
    while (hasUnknown && !stopped) {
      // A listener may set it again meanwhile.
      hasUnknown = false;
      const found = await repository.oldest(MOST_READ);
      await countPart(found);
      hasUnknown ||= found.length === MOST_READ;
    }
    countedAt = Date.now();
  }

  async function countPart(part: readonly StoredBatch[]): Promise<void> {
    try {
      countOthers(await database.transaction((tx) => count(tx, part)));
    } catch (err) {
      partitions.forget();
      const [batch, ...others] = part;
      if (isPassing(err) || batch === undefined) throw err;
      // Batch by batch, so that one that cannot be counted does not keep the others.
      if (others.length > 0) {
        for (const one of part) await countPart([one]);
        return;
      }
      log.error({ err, inbox: batch.id, event: batch.event }, 'events cannot be counted');
      await repository.fail(batch.id, (err as Error).message);
    }
  }

  async function count(tx: SqlTransaction, part: readonly StoredBatch[]): Promise<number> {
    const ids = part.map(({ id }) => id);
    const taken = await takeBatches(tx, ids);
    const facts = part.filter(({ id }) => taken.has(id)).flatMap(factsOfBatch);
    return storeFacts(tx, await partitions.kept(facts));
  }

  return {
    /** Returns the listener that stores an event. */
    listener:
      <E extends EventDef>({ name }: E): Listener<E> =>
      async (batch) => {
        const messages = JSON.stringify(
          batch.map(({ data, context: { id, now } }) => ({ id, now: now.toISOString(), data })),
        );
        const id = await repository.add(name, messages);
        if (inMemory >= MOST_IN_MEMORY) {
          hasUnknown = true;
          return;
        }
        known.push({ id, event: name, messages, size: batch.length });
        inMemory += batch.length;
      },
    /** Somebody looks at the latest events: they are not put off in the next moment. */
    watched() {
      watchedAt = Date.now();
    },
    /** Counts from now on what is stored, also what an earlier process has left. */
    start: again,
    /** Resolves when everything that is stored now is counted. */
    settled,
    /** The next process counts the rest. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Returns the first batches, with as many messages as one transaction takes. */
function firstOf(batches: readonly StoredBatch[]): readonly StoredBatch[] {
  let messages = 0;
  const end = batches.findIndex(({ size }) => {
    messages += size;
    return messages >= MOST_AT_ONCE;
  });
  return end < 0 ? batches : batches.slice(0, end + 1);
}

function factsOfBatch({ event, messages }: StoredBatch): Fact[] {
  const facts = factsByName.get(event);
  if (facts === undefined) return [];
  return JSON.parse(messages).flatMap(({ id, now, data }: { id: string; now: string; data: object }) => {
    const context = { id, now: new Date(now), idFor: (name: string) => uuid5(id, name), expired: () => false };
    return facts({ data, context } as unknown as Message<never>);
  });
}
