import { createInProcessBus, type InProcessBus } from '@landfall/bus';
import { AppChanged } from '@landfall/contracts';
import { connect, type Database, isTransient } from '@landfall/db';
import { createTestDatabase } from '@landfall/db/testing';
import { testLogger } from '@landfall/testkit';
import { describe, inject } from 'vitest';
import { figureConformance } from './conformance/figures.ts';
import { seeded } from './random-events.testing.ts';
import { analyticsService } from './service.ts';

describe('every number of PostgreSQL equals a count over the list of events', () => {
  figureConformance(async () => {
    const testDatabase = await createTestDatabase(inject('databaseServerUrl'));
    const database = connect({ url: testDatabase.url, max: 8 });
    // Two workers, which share nothing but the database.
    const buses = [await startService(database), await startService(database)] as const;
    const [bus] = buses;
    const random = seeded(8);
    const any = () => buses[Math.floor(random() * buses.length)]!;
    return {
      source: 'counts',
      bus,
      setZone: (appId, version, timeZone) => any().tell(AppChanged, { appId, version, hosts: [], timeZone }),
      async deliver(events) {
        for (let i = 0; i < events.length; i += 500) {
          const part = events.slice(i, i + 500);
          await Promise.all(
            part.map(({ event, data, id, now }) => any().tell(event, data as never, { id, now, timeoutMs: 60_000 })),
          );
        }
      },
      async close() {
        for (const one of buses) await one.stop();
        await database.close();
        await testDatabase.drop();
      },
    };
  });
});

async function startService(database: Database): Promise<InProcessBus> {
  const bus = createInProcessBus({ log: testLogger(), isTransient });
  analyticsService({ bus, database });
  await bus.start();
  return bus;
}
