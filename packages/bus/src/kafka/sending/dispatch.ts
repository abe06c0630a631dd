// Decides which waiting messages go in which requests. Normally all gathered messages go in one request, and the next
// request follows its acknowledgement: a request costs far more than a message. Failed messages are sent again
// partition by partition. So a partition without a leader delays no other one, and keeps its order.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from 'kafkajs';

/** A message that is on its way to the brokers. */
export interface QueuedMessage {
  readonly topic: string;
  readonly message: Message & { readonly partition: number };
  readonly bytes: number;
  /** Milliseconds since 1970 after which the message is useless; no limit when left out. */
  readonly deadline: number | undefined;
  /** True once the client has it. Until the acknowledgement, it is then unknown whether the message arrived. */
  sent: boolean;
  /** Called without an error when the message is acknowledged, and with an error when the sender gives up on it. */
  settle(error?: Error): void;
}

export interface Ways {
  /** Sends the messages once. Rejects when any of them was not acknowledged. */
  once(items: readonly QueuedMessage[]): Promise<void>;
  /** Sends the messages, all of one partition, until they are acknowledged or given up. Never rejects. */
  untilDone(items: readonly QueuedMessage[]): Promise<void>;
}

const MAX_MESSAGES = 500;
const MAX_BYTES = 512 * 1024;
/** After a request with so many messages, the next one begins so much later than it began, and holds more. */
const BUSY_MESSAGES = 4;
const BUSY_GAP_MS = 2;

/** @param clock the time in milliseconds, and a wait; for tests */
export function createDispatch(
  { once, untilDone }: Ways,
  clock: { now(): number; sleep(ms: number): Promise<unknown> } = { now: () => performance.now(), sleep },
) {
  let queue: QueuedMessage[] = [];
  let working = false;
  let requests = 0;
  /** The messages that wait behind a failing partition, by partition. */
  const ailing = new Map<string, QueuedMessage[]>();

  async function work(): Promise<void> {
    for (;;) {
      const began = clock.now();
      const [batch, rest] = take(queue);
      queue = rest;
      requests++;
      if (batch.length > 0)
        await once(batch).then(
          () => settleAll(batch),
          () => partByPart(batch),
        );
      const early = BUSY_GAP_MS - (clock.now() - began);
      if (batch.length >= BUSY_MESSAGES && queue.length < MAX_MESSAGES && early > 0) await clock.sleep(early);
      if (queue.length === 0) break;
    }
    working = false;
  }

  function partByPart(batch: readonly QueuedMessage[]): void {
    for (const [id, items] of Map.groupBy(batch, idOf)) {
      // Messages that arrived for the same partition meanwhile stay behind the failed messages.
      const behind = queue.filter((item) => idOf(item) === id);
      ailing.set(id, behind);
      void heal(id, items);
    }
    queue = queue.filter((item) => !ailing.has(idOf(item)));
  }

  async function heal(id: string, first: readonly QueuedMessage[]): Promise<void> {
    let batch = first;
    for (;;) {
      await untilDone(batch);
      const [next, rest] = take(ailing.get(id)!);
      ailing.set(id, rest);
      if (next.length === 0 && rest.length === 0) break;
      batch = next;
    }
    ailing.delete(id);
  }

  return {
    push(item: QueuedMessage): void {
      const waiting = ailing.get(idOf(item));
      if (waiting) {
        waiting.push(item);
        return;
      }
      queue.push(item);
      if (working) return;
      working = true;
      // Messages of one turn of the event loop go into one request.
      setImmediate(() => void work());
    },
    /** The number of requests so far. The messages that are pushed before the next one go in it together. */
    turn: (): number => requests,
    /** Removes the message from the queue. Returns false when the message was sent already. */
    withdraw(item: QueuedMessage): boolean {
      if (item.sent) return false;
      const waiting = ailing.get(idOf(item));
      const others = (waiting ?? queue).filter((one) => one !== item);
      if (waiting) ailing.set(idOf(item), others);
      else queue = others;
      return true;
    },
  };
}

const idOf = ({ topic, message }: QueuedMessage): string => `${topic}/${message.partition}`;

function settleAll(items: readonly QueuedMessage[]): void {
  for (const item of items) item.settle();
}

/** Returns as many messages as one request may hold, and the rest. Gives up on messages whose deadline is over. */
function take(queue: QueuedMessage[]): [batch: QueuedMessage[], rest: QueuedMessage[]] {
  const now = Date.now();
  const batch: QueuedMessage[] = [];
  let bytes = 0;
  let taken = 0;
  for (const item of queue) {
    if (batch.length === MAX_MESSAGES || (batch.length > 0 && bytes + item.bytes > MAX_BYTES)) break;
    taken++;
    if (item.deadline !== undefined && item.deadline <= now) {
      item.settle(new Error('its time was over before it was sent'));
      continue;
    }
    item.sent = true;
    bytes += item.bytes;
    batch.push(item);
  }
  return [batch, taken === queue.length ? [] : queue.slice(taken)];
}
