// Takes a message from a topic: it is read, handed to its handler or listener, and answered.
import type { EventDef, RequestDef } from '@landfall/contracts';
import type { KafkaMessage } from 'kafkajs';
import { contextOf, neverExpired } from '../../context.ts';
import { createDelivery, type Delivery, type DeliverySettings } from '../../delivery.ts';
import { InvalidInput, parsed, wrongId } from '../../invalid-input.ts';
import type { Log } from '../../log.ts';
import { type Observer, traced } from '../../observer.ts';
import type { Told } from '../../port.ts';
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
import { type Bring, gathering } from './gather.ts';

/** The place of a message. */
export interface Place {
  readonly topic: string;
  readonly partition: number;
  readonly raw: KafkaMessage;
}

/** A message that fits its contract, with where it lies and what must be durable before the group may forget it. */
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
  /** The message in its contract's shape, or why it has none. */
  read(place: Place, found: Found): Arrived | { reason: string };
}

/** The parts of the bus that receivers need. */
export interface Surroundings {
  readonly log: Log;
  readonly observer: Observer;
  /** Queries are answered until so many milliseconds after their deadline: clocks differ. */
  readonly graceMs: number;
  answer(to: ReplyTo, kind: AnswerKind, body: object): void;
  /** Tells one event of a commit: the `index`-th of the outcome of the message. Resolves once it is durable. */
  tellOfCommit(told: Told, message: AnyMessage, index: number): Promise<void>;
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
    max: Math.max(1, Math.min(max, handler.max ?? max)),
    key: ({ data, context }) => to.key(data, context.id),
    async call(items) {
      const messages = items.map(({ message }) => message);
      const outcomes = await traced(observer, receiver, items, () => handler(messages));
      if (fits(outcomes, messages)) return { outcomes };
      log.error({ message: name, of: messages.length }, 'wrong outcomes; all fail, no retry');
      return undefined;
    },
    stale: ({ replyTo }) => replyTo === undefined || Date.now() > replyTo.deadline + graceMs,
    done({ message, replyTo, awaited }, index, { outcomes }) {
      const { reply, refusal, events = [] } = outcomes[index] as AnyOutcome;
      events.forEach((event, i) => {
        const told = tellOfCommit(event, message, i);
        // The code that moves the offset awaits it, and may come later than its end.
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
  // Nobody waits for a dead letter that is brought back.
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
    bring: gathering(delivery, receiver.max),
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
