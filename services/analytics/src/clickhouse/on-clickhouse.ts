// Analytics of an installation whose events are in ClickHouse.
import type { Database } from '@landfall/db';
import type { AnalyticsStore } from '../store.ts';
import { type ClickHouse, openClickHouse } from './clickhouse.ts';
import { clickHouseStore } from './clickhouse-store.ts';
import { keptRepository } from './kept-repository.ts';
import { createMirror, type Mirror } from './mirror.ts';

export interface OnClickHouse {
  readonly clickhouse: ClickHouse;
  readonly store: AnalyticsStore;
  readonly mirror: Mirror;
}

/** @param address see {@link openClickHouse} */
export function onClickHouse(address: string, database: Database): OnClickHouse {
  const clickhouse = openClickHouse(address);
  const kept = keptRepository(database);
  return { clickhouse, store: clickHouseStore(clickhouse, kept.zone), mirror: createMirror(clickhouse, kept) };
}
