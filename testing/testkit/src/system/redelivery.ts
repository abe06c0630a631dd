// Delivers the messages of a bus more than once. Finds handlers that do not give the same answer or do not publish the
// same events.
import { isDeepStrictEqual } from 'node:util';
import { Busy, type EventToTell, eventId, type InProcessBus, type Message, NoAnswer } from '@landfall/bus';

/**
 * `doubled`: each message comes twice in one batch. `again`: each batch comes a second time before any other batch of
 * that handler. `recorded`: messages come once more when the test calls `replay`. Queries are never redelivered.
 */
export type Redelivery = 'doubled' | 'again' | 'recorded';

export interface RedeliveringBus extends InProcessBus {
  /**
   * In mode `recorded`: delivers every event once more, and every command that was answered in time and not refused, in
   * the recorded order. A command tells its events again.
   */
  replay(): Promise<void>;
  /** Faults of handlers, one sentence for each. At the end of a test, the list must be empty. */
  readonly violations: readonly string[];
}

type Messages = readonly Message<object>[];
interface Outcome {
  reply?: object;
  events?: readonly EventToTell[];
  refusal?: { code: string; facts: object };
}
/** A handler; a listener has no outcomes. */
type Call = (messages: Messages) => Promise<readonly (Outcome | undefined)[]>;

/** The bus never makes larger batches. */
const MAX_BATCH = 500;

/** @param isTransient returns true for errors after which the bus delivers a batch again */
export function redelivering(
  bus: InProcessBus,
  mode: Redelivery,
  isTransient: (error: unknown) => boolean,
): RedeliveringBus {
  const violations: string[] = [];
  const recorded: { what: string; deliver: Call; message: Message<object> }[] = [];
  let replaying = false;
  const passes = (error: unknown) => error instanceof Busy || error instanceof NoAnswer || isTransient(error);

  /** Returns what the bus shall call, and its largest batch: a doubled batch must not be larger than the handler allows. */
  function wrapped(name: string, call: Call, max: number): { call: Call; max: number } {
    const largest = Math.min(max, MAX_BATCH);
    if (mode === 'recorded') return { call: recording(name, call), max: largest };
    // If the handler allows only one message, the second copy comes in a second call.
    if (mode === 'again' || largest === 1) return { call: again(name, call), max: largest };
    return { call: doubled(name, call), max: largest >> 1 };
  }

  /** Delivers every message twice in one batch: all messages, then all messages once more. */
  function doubled(name: string, call: Call): Call {
    return async (messages) => {
      try {
        const both = await call([...messages, ...messages.map(copyOf)]);
        const first = both.slice(0, messages.length);
        compare(name, messages, first, both.slice(messages.length));
        return first;
      } catch (error) {
        if (passes(error) || messages.length > 1) throw error;
        // A single message fails. If it succeeds without its copy, the copy is the cause.
        const outcomes = await call(messages);
        violated(name, messages[0]!, `throws when it comes twice in one batch: ${error}`);
        return outcomes;
      }
    };
  }

  function again(name: string, call: Call): Call {
    return async (messages) => {
      const outcomes = await call(messages);
      try {
        compare(name, messages, outcomes, await call(messages.map(copyOf)));
      } catch (error) {
        if (passes(error)) throw error;
        for (const message of messages) violated(name, message, `throws when it comes again: ${error}`);
      }
      return outcomes;
    };
  }

  function recording(name: string, call: Call): Call {
    return async (messages) => {
      const outcomes = await call(messages);
      messages.forEach((message, i) => {
        // A command that is answered after its deadline would have a waiting caller again.
        if (replaying || outcomes[i]?.refusal || message.context.expired()) return;
        recorded.push({ what: name, deliver: call, message });
      });
      return outcomes;
    };
  }

  async function replay(): Promise<void> {
    if (mode !== 'recorded') throw new Error("replay() needs redelivery: 'recorded'");
    replaying = true;
    for (const { what, deliver, message } of recorded) {
      const copy = copyOf({ ...message, context: { ...message.context, expired: () => false } });
      try {
        const [outcome] = await untilItPasses(() => deliver([copy]));
        if (outcome?.refusal) violated(what, message, `refused when it came again: ${JSON.stringify(outcome.refusal)}`);
        const { id, now } = message.context;
        for (const [i, { event, data }] of (outcome?.events ?? []).entries())
          await bus.tell(event, data as Record<string, unknown>, { id: eventId(id, event.name, i), now });
      } catch (error) {
        violated(what, message, `failed when it came again: ${error}`);
      }
    }
    replaying = false;
  }

  async function untilItPasses<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!passes(error)) throw error;
      }
    }
  }

  function compare(name: string, messages: Messages, first: Awaited<ReturnType<Call>>, second: typeof first): void {
    messages.forEach((message, i) => {
      const [one, other] = [asSent(first[i]), asSent(second[i])];
      if (isDeepStrictEqual(one, other)) return;
      violated(name, message, `first ${JSON.stringify(one)}, then ${JSON.stringify(other)}`);
    });
  }

  const violated = (name: string, { context }: Message<object>, what: string) =>
    violations.push(`${name} ${context.id}: ${what}`);

  return {
    ...bus,
    answer(to, handler, options) {
      const call = handler as unknown as Call;
      const max = Math.min(options?.max ?? MAX_BATCH, handler.max ?? MAX_BATCH);
      const one = to.kind === 'query' ? { call, max } : wrapped(to.name, call, max);
      const { atOnce = false } = handler;
      bus.answer(to, Object.assign(one.call, { max: one.max, atOnce }) as unknown as typeof handler);
    },
    listen(group, event, listener, options) {
      const call: Call = async (messages) => {
        await listener(messages as Parameters<typeof listener>[0]);
        return messages.map(() => undefined);
      };
      const one = wrapped(`${group}: ${event.name}`, call, options?.max ?? MAX_BATCH);
      bus.listen(group, event, async (messages) => void (await one.call(messages as Messages)), { max: one.max });
    },
    replay,
    violations,
  };
}

const copyOf = ({ data, context }: Message<object>): Message<object> => ({ data: structuredClone(data), context });

/** Returns an outcome in the form in which it would be sent. */
function asSent(outcome: Outcome | undefined): unknown {
  if (outcome === undefined) return undefined;
  const events = outcome.events?.map((told) => ({ event: told.event.name, data: told.data }));
  return JSON.parse(JSON.stringify({ ...outcome, events }));
}
