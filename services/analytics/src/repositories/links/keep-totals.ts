// Keeps the totals of links at the day that it is for the app.
import type { Database } from '@landfall/db';
import { appRepository, appsWithZone, zoneOfApp } from '../app-repository.ts';
import { endsOf, linkTotalRepository, wrongTotals } from './link-total-repository.ts';

/** The transactions that work now, by app and day. Others wait for them. */
const moving = new WeakMap<Database, Map<string, Promise<void>>>();

/** Resolves when the ranges of an app end with a day, or later. It takes seconds when a million links must be summed up. */
export async function readyTotals(database: Database, appId: string, today: string): Promise<void> {
  const end = (await endsOf(database, [appId])).get(appId);
  if (end !== undefined && end >= today) return;
  const running = moving.get(database) ?? new Map<string, Promise<void>>();
  moving.set(database, running);
  const key = `${appId} ${today}`;
  const move = () =>
    change(database, appId, (totals) => totals.moveTo(appId, today)).finally(() => running.delete(key));
  await (running.get(key) ?? kept(running, key, move()));
}

function kept<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value);
  return value;
}

/** Moves the ranges of all apps to their day, and sums up totals that are wrong. */
export async function keepTotals(database: Database, now: Date): Promise<void> {
  const todayOf = async (appId: string) => (await zoneOfApp(database, appId)).at(now.getTime()).day;
  for (const { appId } of await appsWithZone(database)) await readyTotals(database, appId, await todayOf(appId));
  for (const appId of await wrongTotals(database)) {
    const today = await todayOf(appId);
    await change(database, appId, async (totals) => {
      totals.forget(appId);
      await totals.moveTo(appId, today);
    });
  }
}

function change(
  database: Database,
  appId: string,
  run: (totals: ReturnType<typeof linkTotalRepository>) => Promise<void>,
): Promise<void> {
  return database.transaction(async (tx) => {
    appRepository(tx).seize(appId);
    tx.send('set local statement_timeout = 0');
    await run(linkTotalRepository(tx));
    // Waits for all of them.
    await tx.rows('select 1');
  });
}
