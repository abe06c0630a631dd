// One event with its watchers and the groups that listen to it.
import type { EventDef } from '@landfall/contracts';
import { contextOf, neverExpired } from '../context.ts';
import type { AnyListener, AnyMessage, Watcher } from '../receiver.ts';
import type { Core } from './core.ts';
import { type Item, toWaiting } from './item.ts';
import type { Lanes } from './lanes.ts';
import { failWait, oneDone, type Wait, waitFor } from './wait.ts';

const TELL_MS = 5_000;

export interface Channel {
  listen(group: string, listener: AnyListener, max: number): void;
  watch(seen: Watcher): void;
  /** Milliseconds that the oldest unhandled event of the group has waited; 0 when there is none. */
  waitedMs(group: string): number;
  /** Returns true when a listener has reached its limit of waiting messages from outside. */
  full(): boolean;
  /**
   * Hands an event to the watchers at once, and adds it to the queue of every listener. Adds one outstanding delivery
   * to the wait for each listener.
   */
  spread(data: object, id: () => string, now: number, wait: Wait, outside: boolean): void;
  /** Does the same as {@link Channel.spread}, for an event from outside. Resolves when every listener has committed. */
  tell(data: object, id: string, now: number, timeoutMs: number | undefined): Promise<void>;
  /** Returns true when the group listens. */
  has(group: string): boolean;
  /** Hands an event to one group alone, once more. Resolves when it has committed, rejects when it failed again. */
  redeliver(group: string, data: object, id: string, now: number): Promise<void>;
}

export function createChannel(event: EventDef, core: Core): Channel {
  const workers = new Map<string, Lanes>();
  const watchers: Watcher[] = [];

  function listen(group: string, listener: AnyListener, max: number) {
    if (workers.has(group)) throw new Error(`${group} already listens to ${event.name}`);
    const call = async (messages: readonly AnyMessage[]) => {
      await listener(messages);
      return [];
    };
    const receiver = {
      name: `${group}: ${event.name}`,
      group,
      message: event.name,
      kind: 'listener' as const,
      atOnce: false,
      key: ({ data, context }: AnyMessage) => event.key(data, context.id),
      ...toWaiting,
      done: ({ wait }: Item) => oneDone(wait),
      failed: ({ wait, redelivered }: Item, error: Error) => (redelivered ? failWait(wait, error) : oneDone(wait)),
    };
    workers.set(group, core.open(receiver, call, max));
  }

  function spread(data: object, id: () => string, now: number, wait: Wait, outside: boolean) {
    for (const seen of watchers) {
      try {
        seen(data);
      } catch (error) {
        core.log.error({ err: error, message: event.name }, 'a watcher of events failed');
      }
    }
    if (workers.size === 0) return;
    const eventId = id();
    core.recording?.add(`${event.name} ${eventId}`, async () => {
      await tell(data, eventId, now, undefined);
      return undefined;
    });
    const message = { data, context: contextOf(eventId, now, neverExpired) };
    wait.pending += workers.size;
    const trace = core.observer.traceHeaders();
    for (const worker of workers.values()) worker.push({ message, trace, wait, outside });
  }

  function tell(data: object, id: string, now: number, timeoutMs = TELL_MS): Promise<void> {
    return waitFor(event.name, 1, timeoutMs, (wait) => {
      spread(data, () => id, now, wait, true);
      oneDone(wait);
    });
  }

  function redeliver(group: string, data: object, id: string, now: number): Promise<void> {
    return waitFor(event.name, 1, TELL_MS, (wait) => {
      const message = { data, context: contextOf(id, now, neverExpired) };
      const trace = core.observer.traceHeaders();
      workers.get(group)!.push({ message, trace, wait, outside: true, redelivered: true });
    });
  }

  function full() {
    for (const worker of workers.values()) if (worker.full()) return true;
    return false;
  }

  const waitedMs = (group: string) => workers.get(group)?.waitedMs() ?? 0;

  return {
    listen,
    watch: (seen) => void watchers.push(seen),
    waitedMs,
    full,
    spread,
    tell,
    has: (group) => workers.has(group),
    redeliver,
  };
}
