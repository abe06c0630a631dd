// Sends messages and retries through broker restarts, lost leaders and a hanging producer.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Producer } from 'kafkajs';
import { createTally } from '../../lifetime.ts';
import { createDispatch, type QueuedMessage } from './dispatch.ts';
import { keepProducer, type ProducerOptions, SETTLE_MS, within } from './producer.ts';

export interface Outgoing {
  topic: string;
  partition: number;
  key: string | null;
  value: Buffer | string | null;
  headers: Record<string, string | Buffer | (string | Buffer)[] | undefined>;
  /** Milliseconds since 1970 after which the message is useless. */
  deadline?: number;
}

export interface Transmission {
  /** Resolves once the broker has acknowledged the message. Rejects when its deadline passed before it was sent. */
  readonly acknowledged: Promise<void>;
  /** Withdraws the message. Returns false when the message is on its way, and it is unknown whether it arrives. */
  withdraw(): boolean;
}

/** The number of unsettled messages from which on messages that may be refused are refused. */
const CAPACITY = 5_000;
/** The key for all partitions together. */
const ALL = '';
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;

export function createSender(options: ProducerOptions) {
  const { durable } = options;
  const dispatch = createDispatch({ once, untilDone });
  /** The start of the current failure, by partition; milliseconds since 1970. */
  const failing = new Map<string, number>();
  const unsettled = createTally();
  const producers = keepProducer(options);

  /**
   * kafkajs can resolve although messages were lost: when one of several leaders dies, and its partitions move to a
   * broker that has answered already. The result then does not name these partitions: their messages were not sent.
   */
  async function once(items: readonly QueuedMessage[]): Promise<void> {
    const producer = await producers.ready();
    const topicMessages = [...Map.groupBy(items, ({ topic }) => topic)].map(([topic, ones]) => ({
      topic,
      messages: ones.map(({ message }) => message),
    }));
    try {
      const sent = await within(SETTLE_MS, producer.sendBatch({ acks: durable ? -1 : 1, topicMessages }));
      const named = new Set(sent.map(({ topicName, partition }) => `${topicName}/${partition}`));
      const lost = items.find(({ topic, message }) => !named.has(`${topic}/${message.partition}`));
      if (lost) throw new Error(`${lost.topic}/${lost.message.partition} was not acknowledged`);
      failing.delete(ALL);
    } catch (error) {
      failed(ALL, producer, error);
      throw error;
    }
  }

  /** Sends exactly the same batch until it is acknowledged: the broker takes nothing else for a repetition. */
  async function untilDone(items: readonly QueuedMessage[]): Promise<void> {
    const { topic, message } = items[0]!;
    const id = `${topic}/${message.partition}`;
    const messages = items.map((item) => item.message);
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const producer = await producers.ready();
      try {
        await within(SETTLE_MS, producer.send({ topic, acks: durable ? -1 : 1, messages }));
        failing.delete(id);
        failing.delete(ALL);
        for (const item of items) item.settle();
        return;
      } catch (error) {
        failed(id, producer, error);
        const isOver = items.every(({ deadline }) => deadline !== undefined && deadline <= Date.now());
        if (producers.stopped() || isOver) {
          failing.delete(id);
          for (const item of items) item.settle(error as Error);
          return;
        }
        await sleep(wait * (0.5 + Math.random() / 2));
      }
    }
  }

  function failed(id: string, producer: Producer, error: unknown): void {
    if (!failing.has(id)) failing.set(id, Date.now());
    producers.failed(producer, error);
  }

  return {
    connect: producers.connect,
    /** Returns true when messages that may be refused must be refused. */
    full: () => unsettled.counted >= CAPACITY,
    send({ topic, partition, key, value, headers, deadline }: Outgoing): Transmission {
      unsettled.count(1);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let settled = false;
      const item: QueuedMessage = {
        topic,
        message: { key, value, partition, headers },
        bytes: (value?.length ?? 0) + 400,
        deadline,
        sent: false,
        settle(error) {
          if (settled) return;
          settled = true;
          if (error) reject(error);
          else resolve();
          unsettled.count(-1);
        },
      };
      dispatch.push(item);
      return {
        acknowledged: promise,
        withdraw() {
          if (!dispatch.withdraw(item)) return false;
          item.settle(new Error('withdrawn'));
          return true;
        },
      };
    },
    /** Returns the number of the request in which a message goes that is sent now. */
    turn: dispatch.turn,
    idle: unsettled.idle,
    renew: producers.renew,
    /** Returns the milliseconds since requests began to fail, or hung for `SETTLE_MS`; 0 when all is well. */
    stuckMs: () => (failing.size === 0 ? 0 : Date.now() - Math.min(...failing.values())),
    disconnect: producers.disconnect,
  };
}
