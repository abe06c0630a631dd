// The events of changes. They are stored with the change, sent at once, and deleted when they were sent. What a fault
// left behind is sent later, so that no event of an answered change is lost.
import { type Bus, type EventToTell, uuid5 } from '@landfall/bus';
import { events as allEvents } from '@landfall/contracts';
import type { Database, Prisma, PrismaTransaction } from '@landfall/db';
import type { Logger } from '@landfall/runtime';

/** The events of one change. */
export interface ChangeEvents {
  /** The id of the change. The ids of its events follow from it. */
  id: string;
  now: Date;
  events: readonly EventToTell[];
}

export interface Outbox {
  /** Stores the events in the transaction of their change. */
  add(tx: PrismaTransaction, change: ChangeEvents): Promise<void>;
  /** Sends the events of a change that is committed. Never rejects. */
  send(change: ChangeEvents): Promise<void>;
  /** Sends what is left of earlier changes. */
  sendLeft(): Promise<void>;
  /** Sends every few seconds what is left. */
  start(): { stop(): Promise<void> };
}

/** Milliseconds that a change waits for its events. */
const WITHIN_MS = 1_000;
const EVERY_MS = 2_000;
/** Seconds after which another process takes over events. Until then their own process sends them. */
const LEFT_SECONDS = 5;
const AT_ONCE = 100;

const byName = new Map(allEvents.map((event) => [event.name, event]));

/** @param seen is called for each event of this process before it is sent, so that its own caches forget at once */
export function createOutbox(
  database: Database,
  bus: Bus,
  log: Logger,
  seen: (event: EventToTell) => void = () => {},
): Outbox {
  const { prisma } = database;

  async function tellAll({ id, now, events }: ChangeEvents): Promise<void> {
    for (const [i, { event, data }] of events.entries())
      await bus.tell(event, data as never, { id: uuid5(id, `${i}`), now, timeoutMs: WITHIN_MS });
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
      await tellAll({ id, now: at, events: known });
      await forget(id);
    }
  }

  const forget = (id: string) => prisma.outbox.deleteMany({ where: { id } });

  return {
    async add(tx, { id, now, events }) {
      if (events.length === 0) return;
      const stored = events.map(({ event, data }) => ({ name: event.name, data }));
      await tx.outbox.create({ data: { id, at: now, events: stored as unknown as Prisma.InputJsonArray } });
    },
    async send(change) {
      if (change.events.length === 0) return;
      for (const event of change.events) seen(event);
      try {
        await tellAll(change);
        await forget(change.id);
      } catch (err) {
        log.warn({ err, changeId: change.id }, 'the events of a change were not sent: they are sent again');
      }
    },
    sendLeft,
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
