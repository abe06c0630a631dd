// Delivers messages more than once, in tests. Finds handlers that do not give the same answer or do not publish the
// same events.
import { isDeepStrictEqual } from 'node:util';
import type { AnyMessage, AnyOutcome, Call, Delivered } from '../receiver.ts';
import type { Redelivery } from './options.ts';

/**
 * Wraps a handler or listener for the mode. `violated` gets a sentence for each difference from an idempotent handler.
 * Rethrows `isTransient` errors, so that the delivery retries both calls.
 */
export function redelivering(
  mode: Redelivery,
  name: string,
  call: Call,
  isTransient: (error: unknown) => boolean,
  violated: (sentence: string) => void,
): (messages: readonly AnyMessage[]) => Promise<Delivered | undefined> {
  switch (mode) {
    case 'doubled':
      return doubled;
    case 'again':
      return again;
    default:
      return async (messages) => {
        const outcomes = await call(messages);
        return outcomes && { outcomes };
      };
  }

  /** Delivers every message twice in one batch: all messages, then all messages once more. */
  async function doubled(messages: readonly AnyMessage[]): Promise<Delivered | undefined> {
    let both: readonly AnyOutcome[] | undefined;
    try {
      both = await call([...messages, ...messages.map(copyOf)]);
    } catch (error) {
      if (isTransient(error) || messages.length > 1) throw error;
      // A single message still fails. If it succeeds without its copy, the copy is the cause.
      const outcomes = await call(messages);
      return (
        outcomes && { outcomes, faults: [fault(messages[0]!, `throws when it comes twice in one batch: ${error}`)] }
      );
    }
    if (both === undefined) return undefined;
    const count = messages.length;
    const outcomes = both.slice(0, count);
    return { outcomes, faults: differences(messages, outcomes, both.slice(count)) };
  }

  /** Delivers the same batch a second time, before any other batch of this handler. */
  async function again(messages: readonly AnyMessage[]): Promise<Delivered | undefined> {
    const outcomes = await call(messages);
    if (outcomes === undefined) return undefined;
    try {
      const repeats = await call(messages.map(copyOf));
      return repeats && { outcomes, repeats, faults: differences(messages, outcomes, repeats) };
    } catch (error) {
      if (isTransient(error)) throw error;
      return { outcomes, faults: messages.map((message) => fault(message, `throws when it comes again: ${error}`)) };
    }
  }

  function differences(messages: readonly AnyMessage[], first: readonly AnyOutcome[], second: readonly AnyOutcome[]) {
    return messages.map((message, i) => {
      const [one, other] = [asSent(first[i]), asSent(second[i])];
      if (isDeepStrictEqual(one, other)) return undefined;
      return fault(message, `first ${JSON.stringify(one)}, then ${JSON.stringify(other)}`);
    });
  }

  function fault(message: AnyMessage, what: string): string {
    const sentence = `${name} ${message.context.id}: ${what}`;
    violated(sentence);
    return sentence;
  }
}

const copyOf = ({ data, context }: AnyMessage): AnyMessage => ({ data: structuredClone(data), context });

/** Returns an outcome in the form in which it would be sent. */
function asSent(outcome: AnyOutcome | undefined): unknown {
  if (outcome === undefined) return undefined;
  const events = outcome.events?.map((told) => ({ event: told.event.name, data: told.data }));
  return JSON.parse(JSON.stringify({ ...outcome, events }));
}
