// For tests: analytics on an empty database.
import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { connect, type Database, isTransient } from '@landfall/db';
import { createTestDatabase } from '@landfall/db/testing';
import { testLogger } from '@landfall/testkit';
import { inject } from 'vitest';
import type { TestEvent } from './random-events.testing.ts';
import { analyticsService } from './service.ts';

export async function emptyDatabase() {
  const own = await createTestDatabase(inject('databaseServerUrl'));
  const database = connect({ url: own.url, max: 8 });
  return {
    database,
    async drop() {
      await database.close();
      await own.drop();
    },
  };
}

/** Starts a worker. Workers share nothing but the database. */
export async function startWorker(database: Database): Promise<InProcessBus> {
  const bus = createInProcessBus({ log: testLogger(), isTransient });
  analyticsService({ bus, database });
  await bus.start();
  return bus;
}

/** Starts one worker, or several. */
export async function startAnalytics(workers = 1) {
  const { database, drop } = await emptyDatabase();
  const buses = await Promise.all(Array.from({ length: workers }, () => startWorker(database)));
  return {
    database,
    buses,
    bus: buses[0]!,
    async close() {
      for (const bus of buses) await bus.stop();
      await drop();
    },
  };
}
export type Analytics = Awaited<ReturnType<typeof startAnalytics>>;

/** Tells events in parts, because a bus takes 1,000 messages at the same time. Each goes to the bus that `busOf` returns. */
export async function tellAll(events: readonly TestEvent[], busOf: (n: number) => InProcessBus): Promise<void> {
  for (let from = 0; from < events.length; from += 500) {
    const told = events
      .slice(from, from + 500)
      .map(({ event, data, id, now }, i) => busOf(from + i).tell(event, data as never, { id, now, timeoutMs: 60_000 }));
    await Promise.all(told);
  }
}
