// Opens the database of analytics for an operator's command.
import { countings, recountAll } from '@landfall/analytics';
import { onClickHouse } from '@landfall/analytics/clickhouse';
import { connect } from '@landfall/db';

/** Counting the events of an app again is one statement for each metric, and may take minutes. */
const LIMITS = { statement: 0, lock: 60_000, idleTransaction: 600_000 };

export function analyticsRepository(url: string) {
  const database = connect({ url, max: 2, limits: LIMITS });
  return {
    /** Events with the listeners that add them. */
    countings: countings(database),
    /** Resolves with the number of apps. */
    recountAll: () => recountAll(database),
    /** Opens the ClickHouse at an address. It uses this database for zones and salts. */
    openClickHouse: (address: string) => onClickHouse(address, database),
    close: () => database.close(),
  };
}
export type AnalyticsRepository = ReturnType<typeof analyticsRepository>;
