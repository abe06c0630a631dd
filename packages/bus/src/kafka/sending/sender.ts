// Sends messages and keeps trying: through broker restarts, lost leaders and a producer that hangs.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, Producer, ProducerConfig } from 'kafkajs';
import pTimeout from 'p-timeout';
import type { Log } from '../../log.ts';
import { createDispatch, type Parcel } from '../receiving/dispatch.ts';

export interface SenderOptions {
  kafka: Kafka;
  log: Log;
  /** For logs. */
  name: string;
  /** Acknowledged by all replicas in sync, in order and once; or by the leader alone, which is enough where nothing is kept. */
  durable: boolean;
  /** Messages that may wait at once, of those that are refused otherwise. */
  capacity: number;
}

export interface Outgoing {
  topic: string;
  partition: number;
  key: string | null;
  value: Buffer | string | null;
  headers: Record<string, string | Buffer | (string | Buffer)[] | undefined>;
  /** Milliseconds since 1970 after which it is of no use to anybody. */
  deadline?: number;
}

export interface Transmission {
  /** Resolves once the broker has it; rejects when its deadline passed before it was sent. */
  readonly acknowledged: Promise<void>;
  /** Takes it back. False: it is on its way, and nobody knows whether it arrives. */
  withdraw(): boolean;
}

export interface Sender {
  connect(): Promise<void>;
  /** True when messages that may be refused must be refused. */
  full(): boolean;
  send(message: Outgoing): Transmission;
  /** Resolves when nothing waits and nothing is under way. */
  idle(): Promise<void>;
  /** Milliseconds that the present request has failed or hung; 0 when all is well. */
  stuckMs(): number;
  disconnect(): Promise<void>;
}

/** A request that is not settled after this time never will be: its producer is replaced. */
const SETTLE_MS = 8_000;
const CONNECT_MS = 4_000;
/** Names all partitions together. */
const ALL = '';
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;

export function createSender({ kafka, log, name, durable, capacity }: SenderOptions): Sender {
  const dispatch = createDispatch({ once, untilDone });
  /** Since when what fails does so; milliseconds since 1970. */
  const failing = new Map<string, number>();
  let unsettled = 0;
  let idlers: (() => void)[] = [];
  let stopped = false;
  let current = create();
  let connected: Promise<void> = Promise.resolve();

  function create(): Producer {
    // The least that is allowed: who tries again is us.
    const retry = { retries: 1, initialRetryTime: 50, maxRetryTime: 100 };
    const config: ProducerConfig = durable
      ? { retry, idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false }
      : { retry, maxInFlightRequests: 5, allowAutoTopicCreation: false };
    // Partitions are computed by us; a partitioner would be asked again at every retry.
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

  /** One that cannot connect is not asked again: it would stay with the broker that does not answer. */
  async function reconnect(): Promise<void> {
    while (!stopped) {
      const producer = create();
      current = producer;
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
   * The library resolves although messages were lost, when one of several leaders dies and its partitions move to one that has
   * answered already. Its answer does not name them then: what it does not name was not sent.
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

  /** The very same batch until it is acknowledged: only then does the broker know a repeated one. */
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
    if (mustBeReplaced(error)) replace(producer, (error as Error).message);
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

/** Errors of the idempotent producer's numbering: a new producer begins with new numbers, and ids fold what comes twice. */
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
