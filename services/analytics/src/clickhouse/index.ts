// Analytics of an installation whose events are in ClickHouse.
import type { Database } from '@landfall/db';
import { zoneOfApp } from '../repositories/app-repository.ts';
import type { AnalyticsStore } from '../store.ts';
import { type ClickHouse, openClickHouse } from './clickhouse.ts';
import { clickHouseStore } from './clickhouse-store.ts';
import { createMirror, type Mirror } from './mirror.ts';

export { removeFacts } from './remove-facts.ts';
export { makeTables, readerOf, readTopics } from './set-up.ts';

export interface OnClickHouse {
  readonly clickhouse: ClickHouse;
  readonly store: AnalyticsStore;
  readonly mirror: Mirror;
}

/**
 * @param address see {@link openClickHouse}
 * @param database keeps the zones of apps and the salts of days
 */
export function onClickHouse(address: string, database: Database): OnClickHouse {
  const clickhouse = openClickHouse(address);
  const store = clickHouseStore(clickhouse, (appId) => zoneOfApp(database, appId));
  return { clickhouse, store, mirror: createMirror(clickhouse, database) };
}
