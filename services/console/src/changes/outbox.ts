// The events of changes. They are stored with the change, sent at once, and deleted when they were sent. What a fault
// left behind is sent later, so that no event of an answered change is lost.
import { type Bus, type EventToTell, uuid5 } from '@landfall/bus';
import { events as allEvents } from '@landfall/contracts';
import type { Database, Prisma, PrismaTransaction } from '@landfall/db';
import type { Logger } from '@landfall/runtime';

export interface Effect<D> {
  /** The value for the caller. */
  done: D;
  events?: readonly EventToTell[];
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Milliseconds that a change waits for its events. */
const WITHIN_MS = 1_000;
const EVERY_MS = 2_000;
/** Seconds after which another process takes over events. Until then their own process sends them. */
const LEFT_SECONDS = 5;
const AT_ONCE = 100;

const byName = new Map(allEvents.map((event) => [event.name, event]));

/** @param seen is called for each event of this process before it is sent, so that its own caches forget at once */
export function createOutbox(database: Database, bus: Bus, log: Logger, seen: (event: EventToTell) => void = () => {}) {
  const { prisma } = database;

  async function tellAll(id: string, now: Date, events: readonly EventToTell[]): Promise<void> {
    for (const [i, { event, data }] of events.entries())
      await bus.tell(event, data as never, { id: uuid5(id, `${i}`), now, timeoutMs: WITHIN_MS });
    await prisma.outbox.deleteMany({ where: { id } });
  }

  /** Several processes may send the same event. Its id is the same, so it counts once. */
  async function sendLeft(): Promise<void> {
    const rows = await database.rows<{ id: string; at: Date; events: { name: string; data: unknown }[] }>(
      `select id, at, events from account.outbox where stored_at < now() - interval '${LEFT_SECONDS} s'
       order by stored_at limit ${AT_ONCE}`,
    );
    for (const { id, at, events } of rows) {
      // Another version of the product may have stored an event that this one does not know.
      const known = events.flatMap(({ name, data }) => {
        const event = byName.get(name);
        return event ? [{ event, data } as unknown as EventToTell] : [];
      });
      await tellAll(id, at, known);
    }
  }

  return {
    /**
     * Runs a transaction, and sends its events before it returns. If that fails, they are sent later. Their ids follow
     * from `id`. Changes that people and programs ask for are also in the audit log: see `change.ts`.
     */
    async telling<E extends Effect<unknown>>(
      { id, now }: { id: string; now: Date },
      run: (tx: PrismaTransaction) => Promise<E>,
    ): Promise<E['done']> {
      const { done, events = [] } = await prisma.$transaction(async (tx) => {
        const effect = await run(tx);
        const stored = effect.events?.map(({ event, data }) => ({ name: event.name, data })) ?? [];
        if (stored.length > 0)
          await tx.outbox.create({ data: { id, at: now, events: stored as unknown as Prisma.InputJsonArray } });
        return effect;
      });
      if (events.length === 0) return done;
      for (const event of events) seen(event);
      await tellAll(id, now, events).catch((err: unknown) =>
        log.warn({ err, changeId: id }, 'the events of a change were not sent: they are sent again'),
      );
      return done;
    },
    /** Sends every few seconds what is left of earlier changes. */
    start() {
      let running: Promise<void> = Promise.resolve();
      const timer = setInterval(() => {
        running = sendLeft().catch((err: unknown) => log.debug({ err }, 'events of changes wait'));
      }, EVERY_MS);
      timer.unref();
      return {
        async stop() {
          clearInterval(timer);
          await running;
        },
      };
    },
  };
}
