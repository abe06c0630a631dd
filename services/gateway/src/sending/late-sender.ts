// Sends items that the bus did not take and that must not be lost. It retries every second, from a bounded buffer.
import { Busy, NoAnswer } from '@landfall/bus';

interface LateSending<T> {
  send(item: T): Promise<unknown>;
  /** Called for each item that was sent by a retry. */
  late?(item: T): void;
  /** Called for each item that will never be sent. `error`: null when too many wait. */
  lost(item: T, error: Error | null): void;
  /** Called at the stop, when so many items are left. */
  left(count: number): void;
}

const AGAIN_MS = 1_000;
const MAX_WAITING = 10_000;

export function lateSender<T>({ send, late, lost, left }: LateSending<T>) {
  const waiting: T[] = [];
  let timer: NodeJS.Timeout | undefined;

  function keep(item: T, error: Error): void {
    if (!(error instanceof Busy) && !(error instanceof NoAnswer)) lost(item, error);
    else if (waiting.length >= MAX_WAITING) lost(item, null);
    else {
      waiting.push(item);
      timer ??= setTimeout(again, AGAIN_MS).unref();
    }
  }

  async function again(): Promise<void> {
    timer = undefined;
    const items = waiting.splice(0);
    const outcomes = await Promise.allSettled(items.map(send));
    outcomes.forEach((outcome, i) => {
      if (outcome.status === 'fulfilled') late?.(items[i]!);
      else keep(items[i]!, outcome.reason);
    });
  }

  return {
    /** Resolves when the item is sent, kept for a retry, or lost. Never rejects. */
    send: (item: T): Promise<void> =>
      send(item).then(
        () => {},
        (error: Error) => keep(item, error),
      ),
    waiting: () => waiting.length,
    /** Retries the waiting items once. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      await again();
      clearTimeout(timer);
      if (waiting.length > 0) left(waiting.length);
    },
  };
}
