import {
  completeFromFacts,
  countings,
  demoRepository,
  factsOfEvent,
  recountAll,
  removeEvents,
} from '@landfall/analytics';
import { onClickHouse, removeFacts } from '@landfall/analytics/clickhouse';
import { madeUpPast } from '@landfall/attribution';
import { noLog } from '@landfall/bus/kafka';
import { connect } from '@landfall/db';
import { demoLinks } from '@landfall/link';
import { whileOpen } from '../command.ts';

/** Counting the events of an app again is one statement for each metric, and may take minutes. */
const LIMITS = { statement: 0, lock: 60_000, idleTransaction: 600_000 };

type Batches = Parameters<typeof removeEvents>[2];

export function analyticsRepository(url: string) {
  const database = connect({ url, max: 2, limits: LIMITS });
  return {
    countings: countings(database),
    /** Resolves with the number of apps. */
    recountAll: () => recountAll(database),
    /** Zones and salts come from this database. */
    openClickHouse: (address: string) => onClickHouse(address, database),
    demos: demoRepository(database),
    links: demoLinks(database),
    past: madeUpPast(database, noLog),
    /** Figures are complete from the first event on, which may be a made-up one. */
    completeFromFacts: () => completeFromFacts(database),
    /** @param clickHouseUrl where the events are, when they are not in the database */
    async removeEvents(appId: string, batches: () => Batches, clickHouseUrl: string | undefined): Promise<void> {
      await removeEvents(database, appId, batches());
      if (clickHouseUrl === undefined) return;
      const { clickhouse } = onClickHouse(clickHouseUrl, database);
      await whileOpen(clickhouse, () => removeFacts(clickhouse, appId, idsOf(batches())));
    },
    close: () => database.close(),
  };
}
export type AnalyticsRepository = ReturnType<typeof analyticsRepository>;

function* idsOf(batches: Batches): Generator<string[]> {
  for (const batch of batches)
    yield batch.flatMap(([event, message]) =>
      // A made-up restore may have found other taps than was planned, so its device names it.
      factsOfEvent(event, message).flatMap(({ id, device }) => (device === null ? id : [id, device])),
    );
}
