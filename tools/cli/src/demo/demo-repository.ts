// Opens the database of analytics for made-up events.
import { countings, demoRepository as demos, factsOfEvent, removeEvents } from '@landfall/analytics';
import { onClickHouse, removeFacts } from '@landfall/analytics/clickhouse';
import { connect } from '@landfall/db';

/** Counting again takes as long as there are events. */
const LIMITS = { statement: 0, lock: 60_000, idleTransaction: 600_000 };

type Batches = Parameters<typeof removeEvents>[2];

/** @param clickHouseUrl where the events are, when they are not in the database */
export function demoRepository(url: string, clickHouseUrl: string | undefined) {
  const database = connect({ url, max: 2, limits: LIMITS });
  return {
    ...demos(database),
    /** The listeners that add events. */
    listeners: new Map(countings(database).map(({ event, listener }) => [event.name, listener])),
    /** Takes events out again. */
    async removeEvents(appId: string, batches: () => Batches): Promise<void> {
      await removeEvents(database, appId, batches());
      if (clickHouseUrl !== undefined) await removeFromClickHouse(clickHouseUrl, appId, batches());
    },
    close: () => database.close(),
  };

  async function removeFromClickHouse(address: string, appId: string, batches: Batches): Promise<void> {
    const { clickhouse } = onClickHouse(address, database);
    try {
      await removeFacts(clickhouse, appId, idsOf(batches));
    } finally {
      await clickhouse.close();
    }
  }
}

function* idsOf(batches: Batches): Generator<string[]> {
  for (const batch of batches)
    yield batch.flatMap(([event, message]) => factsOfEvent(event, message).map(({ id }) => id));
}
export type DemoRepository = ReturnType<typeof demoRepository>;
