// What PostgreSQL keeps when ClickHouse has the events: the zones of apps, and the salts of days.
import type { Database } from '@landfall/db';
import { appsWithZone, zoneOfApp } from '../repositories/app-repository.ts';
import { daysWithSalt, keptSalts } from '../repositories/visitor-repository.ts';

export const keptRepository = (database: Database) => ({
  zone: (appId: string) => zoneOfApp(database, appId),
  /** Returns the apps that have a zone, or those of them. */
  apps: (appIds?: readonly string[]) => appsWithZone(database, appIds),
  /** Returns the salts of days, by day. Makes those that are missing. */
  salts: (days: readonly string[], now: Date) => keptSalts(database, days, now),
  daysWithSalt: () => daysWithSalt(database),
});
export type Kept = ReturnType<typeof keptRepository>;
