// Runs a transaction, and sends the events that tell others about it.
import type { EventToTell } from '@landfall/bus';
import type { Database, PrismaTransaction } from '@landfall/db';
import type { Outbox } from './outbox.ts';

/** What a transaction did. */
export interface Effect<D> {
  /** What the caller gets. */
  done: D;
  /** The events, made by `told`. */
  events?: readonly EventToTell[];
}

export type Telling = ReturnType<typeof createTelling>;

/**
 * Returns a function that runs a transaction. The events are sent before it returns. If that fails, they are sent later.
 * What a person or a program asks for is a change, which is also in the audit log: see `change.ts`.
 */
export function createTelling({ prisma }: Database, outbox: Outbox) {
  return async <E extends Effect<unknown>>(
    of: { id: string; now: Date },
    run: (tx: PrismaTransaction) => Promise<E>,
  ): Promise<E['done']> => {
    const { done, events = [] } = await prisma.$transaction(async (tx) => {
      const effect = await run(tx);
      await outbox.add(tx, { ...of, events: effect.events ?? [] });
      return effect;
    });
    await outbox.send({ ...of, events });
    return done;
  };
}
