// Opens the database of analytics for made-up events.
import { countings, demoRepository as demos, removeEvents } from '@landfall/analytics';
import { connect } from '@landfall/db';

/** Counting again takes as long as there are events. */
const LIMITS = { statement: 0, lock: 60_000, idleTransaction: 600_000 };

export function demoRepository(url: string) {
  const database = connect({ url, max: 2, limits: LIMITS });
  return {
    ...demos(database),
    /** The listeners that add events. */
    listeners: new Map(countings(database).map(({ event, listener }) => [event.name, listener])),
    /** Takes events out again. */
    removeEvents: (appId: string, batches: Parameters<typeof removeEvents>[2]) =>
      removeEvents(database, appId, batches),
    close: () => database.close(),
  };
}
export type DemoRepository = ReturnType<typeof demoRepository>;
