// Opens a group for each topic of requests and for each listener, and one consumer of answers and watched events.
import type { Kafka } from 'kafkajs';
import type { Lifetime } from '../../lifetime.ts';
import type { Observer } from '../../observer.ts';
import type { DeadReason } from '../dead-letters.ts';
import type { KafkaOptions } from '../options.ts';
import type { Register } from '../register.ts';
import type { Outbox } from '../sending/outbox.ts';
import type { Names } from '../topics/names.ts';
import type { Partitions } from '../topics/topics.ts';
import { jsonOf, readHeaders } from '../wire.ts';
import { createGroup, type Group } from './group.ts';
import { createLive, type Live } from './live.ts';
import { type Arrived, type Reception, receiveEvents, receiveRequests, type Surroundings } from './receivers.ts';

export interface ReceivingParts {
  options: KafkaOptions;
  names: Names;
  lifetime: Lifetime;
  register: Register;
  outbox: Outbox;
  kafka: Kafka;
  /** A client that never stops to retry, for groups. */
  patient: Kafka;
  observer: Observer;
  clock(): number;
  replyPartition: number;
}

/** Milliseconds that a batch waits for its database before its partition rests. */
const PATIENCE_MS = 1_000;
/** Fetch settings for requests. A fetch returns the first message at once, because a caller waits for the answer. */
const AT_ONCE = { maxWaitTimeInMs: 500, minBytes: 1 };
/**
 * Fetch settings for listeners. Nobody waits for them, so all that arrives within a moment goes into one fetch and one
 * transaction. After an empty fetch, our patch of kafkajs fetches the next message at once.
 */
const GATHERED = { maxWaitTimeInMs: 50, minBytes: 64 * 1024 };
const MAX_BATCH = 500;

/** They are not started yet. */
export function openGroups(parts: ReceivingParts): Group[] {
  const { options, register, observer, outbox } = parts;
  const { log } = options;
  const around: Surroundings = { ...outbox, log, observer };
  const requests = [...register.requestTopics()].map(([topic, ones]) => {
    const receptions = ones.map(({ to, handler, max }) =>
      receiveRequests(to, handler, Math.min(max, MAX_BATCH), settings(parts, topic), around),
    );
    // A query is not kept: its caller asks again.
    const keeps = ones[0]!.to.kind === 'command';
    return openGroup(parts, { group: topic, topics: [topic], receptions, keeps, shared: false });
  });
  const listening = [...register.listeners()].map(([group, ones]) => {
    // A listener that names a number may get more than others.
    const receptions = ones.map(({ event, listener, max }) =>
      receiveEvents(event, listener, group, Number.isFinite(max) ? max : MAX_BATCH, settings(parts, group), around),
    );
    const topics = [...new Set(ones.map(({ event }) => event.topic))];
    return openGroup(parts, { group, topics, receptions, keeps: true, shared: true });
  });
  return [...requests, ...listening];
}

function settings({ options, lifetime, observer, clock, outbox }: ReceivingParts, group: string) {
  return {
    log: options.log,
    lifetime,
    observer,
    clock,
    isTransient: options.isTransient,
    patienceMs: PATIENCE_MS,
    deadLetters: (letter: DeadReason, { place }: Arrived) => outbox.deadLetter(group, place, letter),
  };
}

interface GroupPlan {
  group: string;
  topics: readonly string[];
  receptions: readonly Reception[];
  /** True when messages that fail are kept as dead letters. */
  keeps: boolean;
  /** True for listeners: their topics also hold messages for others. */
  shared: boolean;
}

function openGroup({ options, names, observer, outbox, patient, clock }: ReceivingParts, plan: GroupPlan): Group {
  const { group, topics, receptions, keeps, shared } = plan;
  const { log } = options;
  const own = new Set(topics.map(names.topic));
  const byMessage = new Map(receptions.map((one) => [one.receiver.message, one]));
  return createGroup({
    kafka: patient,
    log,
    groupId: names.group(group),
    topics: [...own, ...(keeps ? [names.retry(group)] : [])],
    receptions: byMessage,
    fetch: shared ? GATHERED : AT_ONCE,
    othersIn: (topic) => shared && own.has(topic),
    maxBatch: Math.max(MAX_BATCH, ...receptions.map(({ receiver }) => receiver.max)),
    commitMs: options.commitMs ?? 200,
    stuckMs: options.stuckMs ?? 60_000,
    onHang: outbox.brokerHangs,
    onFatal: options.onFatal,
    async refuse(place, reason, { id, name, replyTo }) {
      log.error({ group, id, message: name, reason }, 'a message could not be read');
      if (replyTo) outbox.answer(replyTo, 'invalid', {});
      if (!keeps) return;
      observer.deadLetter(group, byMessage.has(name ?? '') ? name! : 'unknown');
      await outbox.deadLetter(group, place, { reason, attempts: 0, at: new Date(clock()) });
    },
  });
}

/** The consumer of answers and watched events, not started yet. */
export function openLive(parts: ReceivingParts, partitions: Partitions): Live {
  const { options, names, register, outbox, kafka, replyPartition } = parts;
  const topics = new Set(register.allWatched().map(({ event }) => names.topic(event.topic)));
  return createLive({
    kafka,
    log: options.log,
    names,
    replyPartition,
    topics: new Map([...topics].map((topic) => [topic, partitions.get(topic)!])),
    seen({ batch: { topic, messages } }) {
      for (const message of messages) {
        if (topic === names.replies) {
          outbox.asks.answered(message);
          continue;
        }
        const watching = register.watched(readHeaders(message.headers).name ?? '');
        if (watching === undefined) continue;
        const data = watching.event.data.safeParse(jsonOf(message));
        for (const { seen, onGap } of watching.watchers) {
          if (data.success) seen(data.data);
          else onGap();
        }
      }
    },
    onGap() {
      for (const { watchers } of register.allWatched()) for (const { onGap } of watchers) onGap();
    },
    onHang: outbox.brokerHangs,
  });
}
