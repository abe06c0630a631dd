// One event with its watchers and the groups that listen to it.
import type { EventDef } from '@landfall/contracts';
import { contextOf, neverExpired } from '../context.ts';
import { type AnyListener, guarded, listenerReceiver, TELL_MS, type Watcher } from '../receiver.ts';
import type { Core } from './core.ts';
import { failWait, oneDone, toWaiting, type Wait, waitFor } from './wait.ts';
import type { Worker } from './worker.ts';

export type Channel = ReturnType<typeof createChannel>;

export function createChannel(event: EventDef, core: Core) {
  const { log, observer } = core;
  const groups = new Map<string, Worker>();
  const watchers: Watcher[] = [];

  function listen(group: string, listener: AnyListener, max: number) {
    if (groups.has(group)) throw new Error(`${group} already listens to ${event.name}`);
    const worker = core.open({
      ...listenerReceiver(group, event, listener, max, observer),
      ...toWaiting,
      done: ({ wait }) => oneDone(wait),
      failed: ({ wait, redelivered }, error) => (redelivered ? failWait(wait, error) : oneDone(wait)),
    });
    groups.set(group, worker);
  }

  /** Hands an event to the watchers at once, and queues it for every listener, which the wait then counts. */
  function spread(data: object, id: () => string, now: number, wait: Wait, outside: boolean) {
    for (const seen of watchers) seen(data);
    if (groups.size === 0) return;
    const message = { data, context: contextOf(id(), now, neverExpired) };
    wait.pending += groups.size;
    const trace = observer.traceHeaders();
    for (const worker of groups.values()) worker.push({ message, trace, wait, outside });
  }

  return {
    schema: event.data,
    read: core.reads(event.name, event.data),
    listen,
    watch: (seen: Watcher) => void watchers.push(guarded(seen, event.name, log)),
    /** Milliseconds that the oldest unhandled event of the group has waited; 0 when there is none. */
    waitedMs: (group: string) => groups.get(group)?.waitedMs() ?? 0,
    /** Returns true when a listener has reached its limit of waiting messages from outside. */
    full: () => groups.values().some((worker) => worker.full()),
    spread,

    /** Spreads an event from outside. Resolves when every listener has committed. */
    tell(data: object, id: string, now: number, timeoutMs = TELL_MS): Promise<void> {
      return waitFor(event.name, timeoutMs, (wait) => {
        spread(data, () => id, now, wait, true);
        oneDone(wait);
      });
    },

    has: (group: string) => groups.has(group),

    /** Hands an event to one group alone, once more. Resolves when it has committed, rejects when it failed again. */
    redeliver(group: string, data: object, id: string, now: number): Promise<void> {
      return waitFor(event.name, TELL_MS, (wait) => {
        const message = { data, context: contextOf(id, now, neverExpired) };
        const trace = observer.traceHeaders();
        groups.get(group)!.push({ message, trace, wait, outside: true, redelivered: true });
      });
    },
  };
}
