// The producer of one sender. A producer that hangs, or whose numbering is broken, is replaced by a new one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, Producer, ProducerConfig } from 'kafkajs';
import pTimeout from 'p-timeout';
import type { Log } from '../../observer.ts';
import { givenPartition } from '../client.ts';

export interface ProducerOptions {
  kafka: Kafka;
  log: Log;
  name: string;
  /** False: only the leader acknowledges a message, which is enough for those that are not kept. */
  durable: boolean;
  /** Called when a broker did not answer a request in time. */
  onHang(): void;
}

/** Milliseconds after which a request without a result counts as hung. Its producer is replaced. */
export const SETTLE_MS = 8_000;
const CONNECT_MS = 4_000;
/** Milliseconds in which a producer is new: it learned the leaders after the broker began to hang. */
const NEW_MS = 6_000;
/** Milliseconds between two attempts to connect a new producer. */
const RECONNECT_MS = 100;

export function keepProducer({ kafka, log, name, durable, onHang }: ProducerOptions) {
  let stopped = false;
  let createdAt = 0;
  let current = create();
  let connected: Promise<void> = Promise.resolve();

  function create(): Producer {
    createdAt = Date.now();
    // The minimum that kafkajs allows. This module retries by itself.
    const retry = { retries: 1, initialRetryTime: 50, maxRetryTime: 100 };
    const config: ProducerConfig = durable
      ? { retry, idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false }
      : { retry, maxInFlightRequests: 5, allowAutoTopicCreation: false };
    return kafka.producer({ ...config, createPartitioner: givenPartition });
  }

  function replace(broken: Producer, reason: string): void {
    if (current !== broken || stopped) return;
    log.error({ sender: name, reason }, 'kafka: the producer is replaced');
    abandon(broken);
    connected = reconnect();
  }

  /** Takes a new producer for each attempt: one that cannot connect would stay with the broker that does not answer. */
  async function reconnect(): Promise<void> {
    while (!stopped) {
      const producer = create();
      current = producer;
      try {
        return await within(CONNECT_MS, producer.connect());
      } catch {
        abandon(producer);
        await sleep(RECONNECT_MS);
      }
    }
  }

  const abandon = (producer: Producer) => void producer.disconnect().catch(() => {});

  return {
    connect: () => current.connect(),
    /** Resolves with the current producer when it is connected. */
    async ready(): Promise<Producer> {
      await connected;
      return current;
    },
    /** Replaces the producer when its error shows that it cannot recover. */
    failed(producer: Producer, error: unknown): void {
      if (!mustBeReplaced(error) || current !== producer) return;
      replace(producer, (error as Error).message);
      if (error instanceof Unsettled) onHang();
    },
    /** A broker hangs, which kafkajs notices only at its next request to it. Does nothing when the producer is new. */
    renew(): void {
      if (Date.now() - createdAt > NEW_MS) replace(current, 'a broker hangs');
    },
    stopped: () => stopped,
    async disconnect(): Promise<void> {
      stopped = true;
      await current.disconnect();
    },
  };
}

/** Rejects after the time. The request goes on, and its result is ignored. */
export const within = <T>(milliseconds: number, promise: Promise<T>): Promise<T> =>
  pTimeout(promise, {
    milliseconds,
    // Made only when it is needed: an error collects its stack.
    fallback() {
      throw new Unsettled(`a request was not settled within ${milliseconds / 1000} s`);
    },
  });

class Unsettled extends Error {}

/** Errors in the sequence numbers. A new producer begins anew, and receivers detect duplicates by their ids. */
const NUMBERING = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'DUPLICATE_SEQUENCE_NUMBER',
  'INVALID_PRODUCER_EPOCH',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_ID_MAPPING',
  'PRODUCER_FENCED',
]);

function mustBeReplaced(error: unknown): boolean {
  if (error instanceof Unsettled) return true;
  for (let at = error; at instanceof Error; at = at.cause)
    if (NUMBERING.has((at as { type?: string }).type ?? '')) return true;
  return false;
}
