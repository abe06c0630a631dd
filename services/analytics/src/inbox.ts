// The inbox of the one-process product. There a request waits until every listener has committed, and counting takes ten
// times as long as storing. So the listener only stores events, and they are counted soon after, many at once.
import { type Listener, type Log, type Message, uuid5 } from '@landfall/bus';
import type { EventDef } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Fact } from './domain/fact.ts';
import { storeFacts } from './handlers/ingest.ts';
import type { Partitions } from './partitions.ts';
import { inboxRepository, isPassing, type StoredBatch, takeBatches } from './repositories/inbox-repository.ts';

export interface Inbox {
  /** Returns the listener that stores an event. */
  listener<E extends EventDef>(event: E): Listener<E>;
  /** Counts from now on what is stored, also what an earlier process has left. */
  start(): void;
  /** Resolves when everything that is stored now is counted. */
  settled(): Promise<void>;
  /** What is not counted yet is counted by the next process. */
  stop(): Promise<void>;
}

export interface InboxOptions {
  database: Database;
  partitions: Partitions;
  /** The facts of each event, by its name. */
  factsOf: ReadonlyMap<string, (message: Message<never>) => Fact[]>;
  log: Log;
}

/** Milliseconds between two looks. Meanwhile events gather: many at once cost less. */
const EVERY_MS = 400;
/** Batches of one transaction. */
const MOST_BATCHES = 100;

export function createInbox({ database, partitions, factsOf, log }: InboxOptions): Inbox {
  const repository = inboxRepository(database);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  const again = () => {
    if (!stopped) timer = setTimeout(() => void settled().then(again), EVERY_MS);
  };

  /** One run at a time. A run that fails leaves its batches for the next. */
  function settled(): Promise<void> {
    running = running.then(countAll).catch((err) => {
      log.warn({ err }, 'events could not be counted and will be counted later');
    });
    return running;
  }

  async function countAll() {
    for (;;) {
      const taken = await countSome(MOST_BATCHES).catch((error: unknown) => {
        partitions.forget();
        if (isPassing(error)) throw error;
        return countEach();
      });
      if (taken < MOST_BATCHES || stopped) return;
    }
  }

  function countSome(limit: number): Promise<number> {
    return database.transaction(async (tx) => {
      const batches = await takeBatches(tx, limit);
      const facts = await partitions.kept(batches.flatMap(factsOfBatch));
      await storeFacts(tx, facts);
      return batches.length;
    });
  }

  /** Counts batch by batch, so that one that cannot be counted does not keep the others. */
  async function countEach(): Promise<number> {
    for (let n = 0; n < MOST_BATCHES; n++) {
      let current: StoredBatch | undefined;
      try {
        const taken = await database.transaction(async (tx) => {
          [current] = await takeBatches(tx, 1);
          if (current) await storeFacts(tx, await partitions.kept(factsOfBatch(current)));
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
    const facts = factsOf.get(event);
    if (facts === undefined) return [];
    return messages.flatMap(({ id, now, data }) => {
      const context = { id, now: new Date(now), idFor: (name: string) => uuid5(id, name), expired: () => false };
      return facts({ data, context } as unknown as Message<never>);
    });
  }

  return {
    listener: (event) => async (batch) => {
      const messages = batch.map(({ data, context: { id, now } }) => ({ id, now: now.toISOString(), data }));
      await repository.add(event.name, messages);
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
