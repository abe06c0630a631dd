import type { Database } from '@landfall/db';
import { zoneOfApp } from '../repositories/app-repository.ts';
import { openClickHouse } from './clickhouse.ts';
import { clickHouseStore } from './clickhouse-store.ts';
import { createMirror } from './mirror.ts';

export { removeFacts } from './remove-facts.ts';
export { makeTables, readerOf, readTopics } from './set-up.ts';

export type OnClickHouse = ReturnType<typeof onClickHouse>;

/** @param database keeps the zones of apps and the salts of days */
export function onClickHouse(address: string, database: Database) {
  const clickhouse = openClickHouse(address);
  const store = clickHouseStore(clickhouse, (appId) => zoneOfApp(database, appId));
  return { clickhouse, store, mirror: createMirror(clickhouse, database) };
}
