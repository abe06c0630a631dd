// Counts the facts of an app again: in another time zone, or after facts were added from the topics.
import type { SqlTransaction } from '@landfall/db';
import { addDays, type Zone, zoneOf } from '../domain/zone.ts';
import { recountRepository, type Slots } from '../repositories/recount-repository.ts';

const SLOT_MS = 900_000;

/**
 * Replaces the counts of all days that the facts cover wholly. The caller holds the lock of the app. Older counts stay as
 * they are: their facts are not kept any more.
 */
export async function recount(tx: SqlTransaction, appId: string, timeZone: string): Promise<void> {
  const repository = recountRepository(tx);
  const span = await repository.span(appId);
  if (span === null) return;
  const zone = zoneOf(timeZone);
  // As long as nothing was deleted, the facts cover everything that was ever counted.
  const fromDay = span.keptFrom === null ? null : firstWholeDay(zone, span.keptFrom);
  const from = zone.dayStart(fromDay ?? zone.at(span.from.getTime()).day);
  await repository.replace(appId, fromDay, new Date(from), slotsOf(zone, from, span.to.getTime()));
}

/** Returns the first day of which all facts are kept: the day of the time itself only when it begins there. */
function firstWholeDay(zone: Zone, time: Date): string {
  const { day } = zone.at(time.getTime());
  return zone.dayStart(day) === time.getTime() ? day : addDays(day, 1);
}

/** Returns the day and the hour of each quarter of an hour, for a join in the database. */
function slotsOf(zone: Zone, from: number, to: number): Slots {
  const slots = { slot: [] as number[], day: [] as string[], hour: [] as Date[] };
  for (let slot = Math.floor(from / SLOT_MS); slot * SLOT_MS <= to; slot++) {
    const { day, hour } = zone.at(slot * SLOT_MS);
    slots.slot.push(slot);
    slots.day.push(day);
    slots.hour.push(new Date(hour));
  }
  return slots;
}
