// What happens on a day, in order of time. Consequences of a day may happen on a later one.
import type { DataOf, EventDef } from '@landfall/contracts';
import type { Day } from './days.ts';
import type { Start } from './people/starts.ts';

export interface DemoEvent {
  readonly event: EventDef;
  readonly id: string;
  readonly now: Date;
  /** As the contract of the event describes it. Do not change it, because events share parts of it. */
  readonly data: Record<string, unknown>;
  /** Of some installs: the first start of the app, which asks for its links. It is no part of the event. */
  start?: Start;
}

/** The events of a day are fewer. */
const MOST_EVENTS = 2 ** 24;

export function createAgenda(days: readonly Day[]) {
  const pages = new Map<number, DemoEvent[]>();
  let today = 0;
  return {
    /** Adds an event. Events after the end of the range are dropped. `at` is in milliseconds, and not before this day. */
    add<E extends EventDef>(event: E, id: string, at: number, data: DataOf<E>): DemoEvent {
      const added: DemoEvent = { event, id, now: new Date(at), data };
      let index = today;
      while (index < days.length && at >= days[index]!.end) index++;
      if (index === days.length) return added;
      let page = pages.get(index);
      if (page === undefined) {
        page = [];
        pages.set(index, page);
      }
      page.push(added);
      return added;
    },
    /** Returns the events of a day in order of time. Each day is asked for once, in order. */
    take({ index, start }: Day): DemoEvent[] {
      const page = pages.get(index) ?? [];
      pages.delete(index);
      today = index + 1;
      // Numbers sort much faster than objects. Each holds a time and a place in the list.
      const order = Float64Array.from(page, ({ now }, place) => (now.getTime() - start) * MOST_EVENTS + place).sort();
      return Array.from(order, (key) => page[key % MOST_EVENTS]!);
    },
  };
}
export type Agenda = ReturnType<typeof createAgenda>;
