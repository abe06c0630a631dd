// What the handlers have in common.
import type { Message } from '@landfall/bus';

/** Messages by their id: the same one may come more than once in a batch. */
export function distinct<T>(batch: readonly Message<T>[]): Message<T>[] {
  return [...new Map(batch.map((message) => [message.context.id, message])).values()];
}
