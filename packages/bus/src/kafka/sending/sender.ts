// Sends messages and retries through broker restarts, lost leaders and a hanging producer.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, Producer, ProducerConfig } from 'kafkajs';
import pTimeout from 'p-timeout';
import type { Log } from '../../log.ts';
import { createDispatch, type Parcel } from '../receiving/dispatch.ts';

export interface SenderOptions {
  kafka: Kafka;
  log: Log;
  /** The name of the sender in logs. */
  name: string;
  /**
   * True: all replicas in sync acknowledge a message, in order and once. False: only the leader acknowledges it, which
   * is enough for messages that are not kept.
   */
  durable: boolean;
  /** The number of unsettled messages from which on messages that may be refused are refused. */
  capacity: number;
  /** Called when a broker did not answer a request in time. */
  onHang(): void;
}

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

export interface Sender {
  connect(): Promise<void>;
  /** Returns true when messages that may be refused must be refused. */
  full(): boolean;
  send(message: Outgoing): Transmission;
  /** Resolves when no message waits or is on its way. */
  idle(): Promise<void>;
  /**
   * Returns the milliseconds since the current requests began to fail; 0 when all is well. A hanging request counts as
   * failed after `SETTLE_MS`.
   */
  stuckMs(): number;
  /**
   * Replaces the producer, because a broker hangs. kafkajs would find that out only with its next request to that
   * broker. Does nothing when the producer is new.
   */
  renew(): void;
  disconnect(): Promise<void>;
}

/** Milliseconds after which a request without a result counts as hung. Its producer is replaced. */
const SETTLE_MS = 8_000;
const CONNECT_MS = 4_000;
/** Milliseconds in which a producer counts as new: it got the addresses of the leaders after the broker began to hang. */
const NEW_MS = 6_000;
/** The key for all partitions together. */
const ALL = '';
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;

export function createSender({ kafka, log, name, durable, capacity, onHang }: SenderOptions): Sender {
  const dispatch = createDispatch({ once, untilDone });
  /** The start of the current failure, by partition; milliseconds since 1970. */
  const failing = new Map<string, number>();
  let unsettled = 0;
  let idlers: (() => void)[] = [];
  let stopped = false;
  let createdAt = Date.now();
  let current = create();
  let connected: Promise<void> = Promise.resolve();

  function create(): Producer {
    // The minimum that kafkajs allows. This module retries by itself.
    const retry = { retries: 1, initialRetryTime: 50, maxRetryTime: 100 };
    const config: ProducerConfig = durable
      ? { retry, idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false }
      : { retry, maxInFlightRequests: 5, allowAutoTopicCreation: false };
    // The caller computes the partitions. A real partitioner would run again at every retry.
    return kafka.producer({
      ...config,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition!,
    });
  }

  function replace(broken: Producer, reason: string): void {
    if (current !== broken || stopped) return;
    log.error({ sender: name, reason }, 'kafka: the producer is replaced');
    abandon(broken);
    connected = reconnect();
  }

  /**
   * Connects a new producer, and retries with another new one. A producer that cannot connect is not used again,
   * because it would stay with the broker that does not answer.
   */
  async function reconnect(): Promise<void> {
    while (!stopped) {
      const producer = create();
      current = producer;
      createdAt = Date.now();
      try {
        return await within(CONNECT_MS, producer.connect());
      } catch {
        abandon(producer);
        await sleep(FIRST_WAIT_MS);
      }
    }
  }

  const abandon = (producer: Producer) => void producer.disconnect().catch(() => {});

  /**
   * kafkajs can resolve although messages were lost. This happens when one of several leaders dies and its partitions
   * move to a broker that has answered already. The result then does not name these partitions. Messages of a partition
   * that the result does not name were not sent.
   */
  async function once(parcels: readonly Parcel[]): Promise<void> {
    await connected;
    const producer = current;
    const topicMessages = [...Map.groupBy(parcels, ({ topic }) => topic)].map(([topic, ones]) => ({
      topic,
      messages: ones.map(({ message }) => message),
    }));
    try {
      const sent = await within(SETTLE_MS, producer.sendBatch({ acks: durable ? -1 : 1, topicMessages }));
      const named = new Set(sent.map(({ topicName, partition }) => `${topicName}/${partition}`));
      const lost = parcels.find(({ topic, message }) => !named.has(`${topic}/${message.partition}`));
      if (lost) throw new Error(`${lost.topic}/${lost.message.partition} was not acknowledged`);
      failing.delete(ALL);
    } catch (error) {
      failed(ALL, producer, error);
      throw error;
    }
  }

  /**
   * Sends exactly the same batch until it is acknowledged. The broker recognises only an identical batch as a
   * repetition.
   */
  async function untilDone(parcels: readonly Parcel[]): Promise<void> {
    const { topic, message } = parcels[0]!;
    const id = `${topic}/${message.partition}`;
    const messages = parcels.map((parcel) => parcel.message);
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      await connected;
      const producer = current;
      try {
        await within(SETTLE_MS, producer.send({ topic, acks: durable ? -1 : 1, messages }));
        failing.delete(id);
        failing.delete(ALL);
        for (const parcel of parcels) parcel.settle();
        return;
      } catch (error) {
        failed(id, producer, error);
        const isOver = parcels.every(({ deadline }) => deadline !== undefined && deadline <= Date.now());
        if (stopped || isOver) {
          failing.delete(id);
          return giveUp(parcels, error as Error);
        }
        await sleep(wait * (0.5 + Math.random() / 2));
      }
    }
  }

  function failed(id: string, producer: Producer, error: unknown): void {
    if (!failing.has(id)) failing.set(id, Date.now());
    if (!mustBeReplaced(error) || current !== producer) return;
    replace(producer, (error as Error).message);
    if (error instanceof Unsettled) onHang();
  }

  function giveUp(parcels: readonly Parcel[], error: Error) {
    for (const parcel of parcels) parcel.settle(error);
  }

  return {
    async connect() {
      await current.connect();
    },
    full: () => unsettled >= capacity,
    send({ topic, partition, key, value, headers, deadline }) {
      unsettled++;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let settled = false;
      const parcel: Parcel = {
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
          if (--unsettled > 0) return;
          for (const idler of idlers) idler();
          idlers = [];
        },
      };
      dispatch.push(parcel);
      return {
        acknowledged: promise,
        withdraw() {
          if (!dispatch.withdraw(parcel)) return false;
          parcel.settle(new Error('withdrawn'));
          return true;
        },
      };
    },
    idle: () => (unsettled === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    renew() {
      if (Date.now() - createdAt > NEW_MS) replace(current, 'a broker hangs');
    },
    stuckMs: () => (failing.size === 0 ? 0 : Date.now() - Math.min(...failing.values())),
    async disconnect() {
      stopped = true;
      await current.disconnect();
    },
  };
}

/** Rejects after the time. The request goes on, and its result is ignored. */
const within = <T>(milliseconds: number, promise: Promise<T>): Promise<T> =>
  pTimeout(promise, {
    milliseconds,
    // Made only when it is needed: an error collects its stack.
    fallback() {
      throw new Unsettled(`a request was not settled within ${milliseconds / 1000} s`);
    },
  });

class Unsettled extends Error {}

/**
 * Errors in the sequence numbers of the idempotent producer. A new producer begins with new numbers, and receivers
 * detect duplicates by their ids.
 */
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
