// Gives ClickHouse what it needs to count visitors: the zones of apps, and the salts of days in these zones. PostgreSQL has
// them, so that several services make no two salts for one day.
import type { Database } from '@landfall/db';
import { addDays, zoneOf } from '../domain/zone.ts';
import { appsWithZone, DEFAULT_ZONE } from '../repositories/app-repository.ts';
import { daysWithSalt, keptSalts } from '../repositories/visitor-repository.ts';
import type { ClickHouse } from './clickhouse.ts';

/** Events that come a little late or early still find the salt of their day. */
const DAYS_AROUND = 2;

export function createMirror(clickhouse: ClickHouse, database: Database) {
  async function copyDays(days: readonly string[], now: Date, appIds?: readonly string[]) {
    const apps = await appsWithZone(database, appIds);
    const salts = await keptSalts(database, days, now);
    const zones = [...new Set([DEFAULT_ZONE, ...apps.map(({ timeZone }) => timeZone)])];
    // The salts come first: a zone that is known must have them.
    await clickhouse.insert(
      'salts',
      zones.flatMap((zone) => days.map((day) => saltOf(zone, day, salts.get(day)!))),
    );
    await clickhouse.insert(
      'apps',
      apps.map(({ appId, version, timeZone }) => ({ app_id: appId, version, time_zone: timeZone })),
    );
  }

  return {
    /** Copies the zones of all apps, or of these, and the salts of the days around today. */
    copy: (now: Date, appIds?: readonly string[]) => copyDays(daysBetween(now, now), now, appIds),
    /** Copies all zones, and the salts of all days since a time, before the events of these days are read again. */
    copySince: (since: Date, now: Date) => copyDays(daysBetween(since, now), now),
    async deleteSalts(): Promise<void> {
      const days = await daysWithSalt(database);
      await clickhouse.run(
        'alter table salts delete where not has({days:Array(Date)}, day) settings mutations_sync = 1',
        { days },
      );
    },
  };
}

/** Returns the days from one time to another, and those around them: a zone may be a day ahead or behind. */
function daysBetween(from: Date, to: Date): string[] {
  const dayOf = (time: Date) => time.toISOString().slice(0, 10);
  const last = addDays(dayOf(to), DAYS_AROUND);
  const days = [addDays(dayOf(from), -DAYS_AROUND)];
  while (days.at(-1)! < last) days.push(addDays(days.at(-1)!, 1));
  return days;
}

function saltOf(zone: string, day: string, salt: string) {
  const { dayStart } = zoneOf(zone);
  return { time_zone: zone, day, starts: textOf(dayStart(day)), ends: textOf(dayStart(addDays(day, 1))), salt };
}

const textOf = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
