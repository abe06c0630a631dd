// Counts the facts of an app again: in another time zone, or after facts were added from the topics or taken out.
import type { Message } from '@landfall/bus';
import type { EventDef } from '@landfall/contracts';
import type { Database, SqlTransaction } from '@landfall/db';
import { addDays, SLOT_MS, type Zone } from './domain/zone.ts';
import { factsOfEvent } from './facts-of.ts';
import { appRepository, appsWithFacts } from './repositories/app-repository.ts';
import { deleteFacts } from './repositories/demo-repository.ts';
import { linkTotalRepository } from './repositories/links/link-total-repository.ts';
import { completeFromFacts } from './repositories/partition-repository.ts';
import { factSpan, recountRepository, type Slots } from './repositories/recount-repository.ts';

/** Facts that are added meanwhile are counted, too. Resolves with the number of apps. */
export async function recountAll(database: Database): Promise<number> {
  const appIds = await appsWithFacts(database);
  for (const appId of appIds) await changeAndRecount(database, appId, async () => {});
  await completeFromFacts(database);
  return appIds.length;
}

export type Removed = readonly [EventDef, Message<never>];

/**
 * Removes the facts of events, as if they had never come. Days whose facts are no longer kept stay as they were counted.
 * @param batches some thousand events at a time
 */
export async function removeEvents(
  database: Database,
  appId: string,
  batches: Iterable<readonly Removed[]>,
): Promise<void> {
  await changeAndRecount(database, appId, async (tx) => {
    tx.send('set local statement_timeout = 0');
    for (const batch of batches) {
      const facts = batch.flatMap(([event, message]) => factsOfEvent(event, message));
      deleteFacts(tx, appId, facts);
      // The statements of a transaction wait in memory until something is read.
      await tx.rows('select 1');
    }
  });
}

function changeAndRecount(
  database: Database,
  appId: string,
  change: (tx: SqlTransaction) => Promise<void>,
): Promise<void> {
  return database.transaction(async (tx) => {
    const apps = appRepository(tx);
    apps.seize(appId);
    await change(tx);
    await recount(tx, appId, await apps.zone(appId));
  });
}

/**
 * Replaces the counts of all days that the facts cover wholly. The caller holds the lock of the app. Older counts stay as
 * they are: their facts are not kept any more.
 */
export async function recount(tx: SqlTransaction, appId: string, zone: Zone): Promise<void> {
  tx.send('set local statement_timeout = 0');
  linkTotalRepository(tx).forget(appId);
  const span = await factSpan(tx, appId);
  if (span === null) return;
  // As long as nothing was deleted, the facts cover everything that was ever counted.
  const fromDay = span.keptFrom === null ? null : firstWholeDay(zone, span.keptFrom);
  const from = zone.dayStart(fromDay ?? zone.at(span.from.getTime()).day);
  await recountRepository(tx).replace(appId, fromDay, new Date(from), slotsOf(zone, from, span.to.getTime()));
}

/** The day of the time itself only when it begins there. */
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
