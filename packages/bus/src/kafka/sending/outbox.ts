// Sends all messages of a process: requests, events, answers and dead letters. Chooses the partition of each message.
import { randomUUID } from 'node:crypto';
import { type EventDef, newId, type RequestDef } from '@landfall/contracts';
import type { Kafka } from 'kafkajs';
import pTimeout from 'p-timeout';
import { eventId } from '../../context.ts';
import { InvalidInput, parsed } from '../../invalid-input.ts';
import type { Log, Observer } from '../../observer.ts';
import { type Answer, type AskOptions, Busy, type EventToTell, NoAnswer, type TellOptions } from '../../port.ts';
import { type AnyMessage, askMsOf, TELL_MS } from '../../receiver.ts';
import { type DeadReason, deadRecord } from '../dead-letters.ts';
import { type Names, partitionOf, REPLY_PARTITIONS } from '../topics/names.ts';
import type { Partitions } from '../topics/topics.ts';
import {
  type AnswerKind,
  answerHeaders,
  type Envelope,
  eventHeaders,
  GRACE_MS,
  type Place,
  type ReplyTo,
  requestHeaders,
} from '../wire.ts';
import { createAsks } from './asks.ts';
import { createSender, type Transmission } from './sender.ts';

export interface OutboxOptions {
  kafka: Kafka;
  log: Log;
  names: Names;
  observer: Observer;
  source: string;
  replyPartition: number;
  clock(): number;
}

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(options: OutboxOptions) {
  const { kafka, log, names, observer, source, replyPartition, clock } = options;
  // Commands and events must not be lost. When a query or an answer is lost, the caller notices it by its timeout.
  const ofEach = { kafka, log, onHang: brokerHangs };
  const durable = createSender({ ...ofEach, name: 'commands and events', durable: true });
  const light = createSender({ ...ofEach, name: 'queries and answers', durable: false });
  const asks = createAsks();
  let partitions: Partitions = new Map();

  function brokerHangs(): void {
    for (const sender of [durable, light]) sender.renew();
  }

  function at(plainTopic: string, key: string | null, { turn } = durable): { topic: string; partition: number } {
    const topic = names.topic(plainTopic);
    const count = partitions.get(topic);
    if (count === undefined) throw new Busy(`the topic ${topic} is not known`);
    return { topic, partition: key === null ? turn() % count : partitionOf(key, count) };
  }

  function sendEvent(event: EventDef, data: object, id: string, time: number): Transmission {
    const key = event.key(data, id);
    const envelope: Envelope = { name: event.name, id, time, trace: observer.traceHeaders() };
    const headers = eventHeaders(envelope, source, key);
    return durable.send({ ...at(event.topic, key), key, value: JSON.stringify(data), headers });
  }

  return {
    asks,
    brokerHangs,

    async connect(found: Partitions): Promise<void> {
      partitions = found;
      await Promise.all([durable.connect(), light.connect()]);
    },

    /** Sends a request. Throws the error that {@link Bus.ask} rejects with when the request cannot even be sent. */
    ask(to: RequestDef, input: object, given: AskOptions): Promise<Answer<RequestDef>> {
      const { timeoutMs = askMsOf(to), id = newId() } = given;
      const data = parsed(to.name, to.input, input, id);
      if (data instanceof InvalidInput) throw data;
      const service = to.topic.slice(0, to.topic.indexOf('.'));
      const sender = to.kind === 'query' ? light : durable;
      if (asks.full(service) || sender.full()) throw new Busy(`${to.name}: too many wait`);
      const replyTo = { correlation: randomUUID(), partition: replyPartition, deadline: Date.now() + timeoutMs };
      const key = to.key(data, id);
      const envelope: Envelope = { name: to.name, id, time: clock(), trace: observer.traceHeaders() };
      const message = { ...at(to.topic, key, sender), key, value: JSON.stringify(data), deadline: replyTo.deadline };
      return asks.wait(to, service, replyTo.correlation, timeoutMs, () =>
        sender.send({ ...message, headers: requestHeaders(envelope, replyTo) }),
      );
    },

    async tell(event: EventDef, input: object, { id = newId(), now, timeoutMs = TELL_MS }: TellOptions) {
      const data = parsed(event.name, event.data, input, id);
      if (data instanceof InvalidInput) throw data;
      if (durable.full()) throw new Busy(`${event.name}: too many wait`);
      const sending = sendEvent(event, data, id, now?.getTime() ?? clock());
      await orLate(event.name, sending, timeoutMs);
    },

    /** Resolves once event number `index` of a commit is durable, however long that takes. A faulty one is logged. */
    async tellOfCommit({ event, data: told, at }: EventToTell, { context }: AnyMessage, index: number): Promise<void> {
      const { id, now } = context;
      const data = parsed(event.name, event.data, told);
      if (data instanceof InvalidInput)
        return log.error({ err: data, message: event.name, id }, 'an event of a commit does not fit its contract');
      await sendEvent(event, data, eventId(id, event.name, index), (at ?? now).getTime()).acknowledged;
    },

    answer({ correlation, partition, deadline }: ReplyTo, kind: AnswerKind, body: object): void {
      if (!(partition >= 0 && partition < REPLY_PARTITIONS)) return;
      const headers = answerHeaders(correlation, kind);
      const message = { topic: names.replies, partition, key: null, value: JSON.stringify(body), headers };
      light.send({ ...message, deadline: deadline + GRACE_MS }).acknowledged.catch(() => {});
    },

    /** Resolves once the dead letter is durable, however long that takes. */
    deadLetter(group: string, place: Place, why: DeadReason): Promise<void> {
      const count = partitions.get(names.dead(group)) ?? 1;
      return durable.send(deadRecord(names, group, place, place.partition % count, why)).acknowledged;
    },

    stuckMs: () => Math.max(durable.stuckMs(), light.stuckMs()),
    idle: () => Promise.all([durable.idle(), light.idle()]),
    disconnect: () => Promise.all([durable.disconnect(), light.disconnect()]),
  };
}

/** Rejects with Busy when it was not sent in time, and with NoAnswer when it is unknown whether it arrived. */
async function orLate(name: string, sending: Transmission, timeoutMs: number): Promise<void> {
  // The call waits until the deadline, even when sending fails. Withdrawing a message rejects `acknowledged`, too.
  const acknowledged = sending.acknowledged.catch(() => new Promise<never>(() => {}));
  await pTimeout(acknowledged, {
    milliseconds: timeoutMs,
    fallback() {
      if (sending.withdraw()) throw new Busy(`${name}: it could not be sent within ${timeoutMs} ms`);
      throw new NoAnswer(`${name}: not acknowledged within ${timeoutMs} ms`);
    },
  });
}
