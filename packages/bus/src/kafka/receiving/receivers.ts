// Reads a message from a topic, hands it to its handler or listener, and answers it.
import type { EventDef, RequestDef } from '@landfall/contracts';
import type { KafkaMessage } from 'kafkajs';
import { contextOf, neverExpired } from '../../context.ts';
import { createDelivery, type Delivery, type DeliverySettings } from '../../delivery.ts';
import { InvalidInput, parsed, wrongId } from '../../invalid-input.ts';
import type { Log } from '../../log.ts';
import { type Observer, traced } from '../../observer.ts';
import type { EventToTell } from '../../port.ts';
import {
  type AnyHandler,
  type AnyListener,
  type AnyMessage,
  type AnyOutcome,
  type Carried,
  fits,
  type Receiver,
} from '../../receiver.ts';
import { type AnswerKind, type Found, jsonOf, type ReplyTo } from '../wire.ts';
import { atOnce, type Bring, gathering } from './gather.ts';

/** A raw message with its topic and partition. */
export interface Place {
  readonly topic: string;
  readonly partition: number;
  readonly raw: KafkaMessage;
}

/**
 * A message that fits its contract, with its place and the promises that must be durable before the group commits its
 * offset.
 */
export interface Arrived extends Carried {
  readonly place: Place;
  readonly replyTo: ReplyTo | undefined;
  readonly trace: Found['trace'];
  readonly awaited: Promise<void>[];
}

/** One handler or listener of a group. */
export interface Reception {
  readonly receiver: Receiver<Arrived>;
  readonly delivery: Delivery<Arrived>;
  readonly bring: Bring<Arrived>;
  /** Returns the message in the form of its contract, or the reason why it does not fit. */
  read(place: Place, found: Found): Arrived | { reason: string };
}

/** The parts of the bus that receivers need. */
export interface Surroundings {
  readonly log: Log;
  readonly observer: Observer;
  /** Milliseconds after their deadline in which queries are still answered, because clocks differ. */
  readonly graceMs: number;
  answer(to: ReplyTo, kind: AnswerKind, body: object): void;
  /**
   * Publishes one event of a commit: number `index` in the outcome of the message. Resolves once the event is durable.
   */
  tellOfCommit(told: EventToTell, message: AnyMessage, index: number): Promise<void>;
}

export function receiveRequests(
  to: RequestDef,
  handler: AnyHandler,
  group: string,
  max: number,
  settings: DeliverySettings<Arrived>,
  around: Surroundings,
): Reception {
  const { log, observer, graceMs, answer, tellOfCommit } = around;
  const name = to.name;
  const receiver: Receiver<Arrived> = {
    name,
    group,
    message: name,
    kind: to.kind,
    atOnce: handler.atOnce ?? false,
    max: Math.max(1, Math.min(max, handler.max ?? max)),
    key: ({ data, context }) => to.key(data, context.id),
    async call(items) {
      const messages = items.map(({ message }) => message);
      const outcomes = await traced(observer, receiver, items, () => handler(messages));
      if (fits(outcomes, messages)) return { outcomes };
      log.error(
        { message: name, of: messages.length },
        'a handler returned the wrong number of results: the whole batch fails, without a retry',
      );
      return undefined;
    },
    stale: ({ replyTo }) => replyTo === undefined || Date.now() > replyTo.deadline + graceMs,
    done({ message, replyTo, awaited }, index, { outcomes }) {
      const { reply, refusal, events = [] } = outcomes[index] as AnyOutcome;
      events.forEach((event, i) => {
        const told = tellOfCommit(event, message, i);
        // The code that moves the offset awaits this promise, but may do so only after the promise has settled.
        told.catch(() => {});
        awaited.push(told);
      });
      if (replyTo === undefined) return;
      if (refusal) answer(replyTo, 'refusal', refusal);
      else answer(replyTo, 'reply', reply!);
    },
    failed({ replyTo }) {
      if (replyTo) answer(replyTo, 'failed', {});
    },
    abandoned() {},
  };
  // A replayed dead letter always counts as expired, because no caller waits for it.
  return reception(
    receiver,
    to.input,
    settings,
    (replyTo) => () => replyTo === undefined || Date.now() >= replyTo.deadline,
  );
}

export function receiveEvents(
  event: EventDef,
  listener: AnyListener,
  group: string,
  max: number,
  settings: DeliverySettings<Arrived>,
  { observer }: Surroundings,
): Reception {
  const receiver: Receiver<Arrived> = {
    name: `${group}: ${event.name}`,
    group,
    message: event.name,
    kind: 'listener',
    max,
    atOnce: false,
    key: ({ data, context }) => event.key(data, context.id),
    async call(items) {
      const messages = items.map(({ message }) => message);
      await traced(observer, receiver, items, () => listener(messages));
      return { outcomes: [] };
    },
    stale: () => false,
    done() {},
    failed() {},
    abandoned() {},
  };
  return reception(receiver, event.data, settings, () => neverExpired);
}

function reception(
  receiver: Receiver<Arrived>,
  schema: RequestDef['input'],
  settings: DeliverySettings<Arrived>,
  expiry: (replyTo: ReplyTo | undefined) => () => boolean,
): Reception {
  const delivery = createDelivery(receiver, settings);
  return {
    receiver,
    delivery,
    bring: receiver.atOnce ? atOnce(delivery, settings.lifetime) : gathering(delivery, receiver.max),
    read(place, { id, time, replyTo, trace }) {
      const json = jsonOf(place.raw);
      if (json === undefined) return { reason: 'its value is not JSON' };
      if (id === undefined || Number.isNaN(time)) return { reason: 'it has no id or no time' };
      const data = wrongId(receiver.message, id) ?? parsed(receiver.message, schema, json);
      if (data instanceof InvalidInput) return { reason: data.message };
      return { message: { data, context: contextOf(id, time, expiry(replyTo)) }, place, replyTo, trace, awaited: [] };
    },
  };
}
