// Reads a message from a topic, hands it to its handler or listener, and answers it.
import type { EventDef, RequestDef } from '@landfall/contracts';
import { contextOf, neverExpired } from '../../context.ts';
import { createDelivery, type Delivery, type DeliverySettings } from '../../delivery.ts';
import { InvalidInput, parsed } from '../../invalid-input.ts';
import type { Log, Observer } from '../../observer.ts';
import {
  type AnyHandler,
  type AnyListener,
  type Carried,
  handlerReceiver,
  listenerReceiver,
  type Receiver,
} from '../../receiver.ts';
import type { Outbox } from '../sending/outbox.ts';
import { type Found, GRACE_MS, jsonOf, type Place, type ReplyTo } from '../wire.ts';
import { atOnce, type Bring, gathering } from './gather.ts';

/** `awaited`: promises that must be durable before the group commits the message's offset. */
export interface Arrived extends Carried {
  readonly place: Place;
  readonly replyTo: ReplyTo | undefined;
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

export interface Surroundings extends Pick<Outbox, 'answer' | 'tellOfCommit'> {
  readonly log: Log;
  readonly observer: Observer;
}

export function receiveRequests(
  to: RequestDef,
  handler: AnyHandler,
  max: number,
  settings: DeliverySettings<Arrived>,
  { log, observer, answer, tellOfCommit }: Surroundings,
): Reception {
  const receiver: Receiver<Arrived> = {
    ...handlerReceiver(to, handler, max, observer, log),
    stale: ({ replyTo }) => replyTo === undefined || Date.now() > replyTo.deadline + GRACE_MS,
    done({ message, replyTo, awaited }, outcome) {
      const { reply, refusal, events = [] } = outcome!;
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
  const expiry = (replyTo?: ReplyTo) => () => replyTo === undefined || Date.now() >= replyTo.deadline;
  return reception(receiver, to.input, settings, expiry);
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
    ...listenerReceiver(group, event, listener, max, observer),
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
      const data = parsed(receiver.message, schema, json, id);
      if (data instanceof InvalidInput) return { reason: data.message };
      return { message: { data, context: contextOf(id, time, expiry(replyTo)) }, place, replyTo, trace, awaited: [] };
    },
  };
}
