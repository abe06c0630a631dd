// Hands the messages of several partitions to one handler together. They came in one fetch, and one transaction for all
// of them costs little more than a transaction for one partition.
import type { Delivery } from '../../delivery.ts';
import type { Lifetime } from '../../lifetime.ts';
import type { Carried } from '../../receiver.ts';

/** Hands the messages over. Resolves with the messages that are left. */
export type Bring<I> = (items: readonly I[]) => Promise<readonly I[]>;

/** The batches that one handler runs at a time. While one waits for the disk, the next one is prepared. */
const AT_ONCE = 2;

interface Waiting<I> {
  items: readonly I[];
  resolve(left: readonly I[]): void;
}

export function gathering<I extends Carried>(delivery: Delivery<I>, max: number): Bring<I> {
  let waiting: Waiting<I>[] = [];
  let running = 0;
  let woken = false;

  function wake(): void {
    if (woken || running >= AT_ONCE || waiting.length === 0) return;
    woken = true;
    // The other partitions of the same fetch arrive in this turn of the event loop.
    setImmediate(() => {
      woken = false;
      if (waiting.length === 0) return;
      running++;
      void work(take()).finally(() => {
        running--;
        wake();
      });
      wake();
    });
  }

  /** Takes waiting entries in order: as many as a batch may hold, and at least one. */
  function take(): readonly Waiting<I>[] {
    let count = 0;
    for (let size = 0; count < waiting.length; count++) {
      size += waiting[count]!.items.length;
      if (count > 0 && size > max) break;
    }
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return taken;
  }

  async function work(batch: readonly Waiting<I>[]): Promise<void> {
    const items = batch.flatMap((one) => one.items);
    const left = new Set(await inBatches(items));
    // A failure in one partition must not stop the others. Each partition is retried alone.
    if (left.size > 0 && batch.length > 1) return void (await Promise.all(batch.map((one) => alone(one, left))));
    for (const { items: own, resolve } of batch) resolve(left.size === 0 ? [] : own.filter((item) => left.has(item)));
  }

  async function alone({ items, resolve }: Waiting<I>, left: ReadonlySet<I>): Promise<void> {
    resolve(await inBatches(items.filter((item) => left.has(item))));
  }

  /** Returns the unhandled messages, with all messages behind them. */
  async function inBatches(items: readonly I[]): Promise<readonly I[]> {
    for (let from = 0; from < items.length; from += max) {
      const left = await delivery.deliver(items.slice(from, from + max));
      if (left.length > 0 || delivery.state.paused) return [...left, ...items.slice(from + max)];
    }
    return [];
  }

  return (items) =>
    new Promise((resolve) => {
      waiting.push({ items, resolve });
      wake();
    });
}

/** Each message at once, beside the others: their partition goes on. Of a query that is lost, the caller asks again. */
export function atOnce<I extends Carried>(delivery: Delivery<I>, lifetime: Lifetime): Bring<I> {
  async function alone(item: I): Promise<void> {
    lifetime.count(1);
    let left: readonly I[] = [item];
    while (left.length > 0) left = await delivery.deliver(left);
    lifetime.count(-1);
  }
  return async (items) => {
    for (const item of items) void alone(item);
    return [];
  };
}
